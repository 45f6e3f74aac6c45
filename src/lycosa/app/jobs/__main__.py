"""`python -m lycosa.app.jobs`: the process of one hunt, as HuntProcess starts it."""

from lycosa.app.jobs.runner import main

main()
