"""`python -m kerneltron` is the command line."""

from kerneltron.cli import main

main()
