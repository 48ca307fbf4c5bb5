"""`python -m protocol` is the same as `triptych`."""

from protocol.signals import leave_at_once


def main() -> int:
    """The console command `triptych`. Returns the exit status."""
    leave_at_once()
    from protocol import cli

    return cli.main()


if __name__ == "__main__":
    raise SystemExit(main())
