"""`python -m lycosa` is the command line."""

from lycosa.face.start import main

if __name__ == "__main__":
    main()
