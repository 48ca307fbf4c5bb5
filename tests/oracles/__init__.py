"""Slow and obvious programs that the engine's fast ones must agree with."""
