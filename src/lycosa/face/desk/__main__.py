"""`python -m lycosa.face.desk`: the process of one hunt, as the desk starts it."""

from lycosa.face.desk.runner import main

main()
