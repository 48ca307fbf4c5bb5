"""`python -m protocol` is the same as `triptych`."""

from protocol.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
