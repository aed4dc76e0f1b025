"""The command line: one small module per group of commands."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main", "was_interrupted"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    arguments
        What follows the name of the program; by default what the shell passed.

    Returns
    -------
    int
        0 done, 1 the answer is no, 2 wrong input or usage, 3 a limit was hit, 130 interrupted.
    """
    try:
        from sapper.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if was_interrupted(error):
            return 130
        raise


def was_interrupted(error: BaseException | None) -> bool:
    """Tell whether Ctrl-C is behind an error: an import that it hits may say something else."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False
