"""`python -m shoal`: the command line."""

from shoal.faces.cli import main

if __name__ == "__main__":
    main()
