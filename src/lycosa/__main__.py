"""`python -m lycosa` is the command line."""

from lycosa.face.cli import main

if __name__ == "__main__":
    main()
