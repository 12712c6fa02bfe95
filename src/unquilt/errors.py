"""Everything that can go wrong, on one screen; each error is a thing, a fact and a remedy.

UnquiltError
├── UsageError           exit 2    the call makes no sense: a parameter out of range, a table unknown
│   └── MemoryTooSmall             the promise of --memory cannot be kept
├── InputError           exit 3    what was given to read cannot be read
│   ├── StudyError                 not a study, or not one this version can open
│   └── DamagedTable               a published file is not what the manifest says
├── CannotGoOn           exit 4    nothing wrong with the call, but it could not be finished
│   ├── StudyLocked                another process writes to the study
│   ├── NoRoom                     the disk is full
│   ├── NotWritable                the folder does not let us write
│   └── StepFailed                 a step raised; says table, step and partition
└── Findings             exit 1    it ran, and found what the user asked to fail on
Interrupted              exit 130  Ctrl-C or SIGTERM; the same command goes on where it stopped
"""

from __future__ import annotations

EXIT_INTERRUPTED = 130


class UnquiltError(Exception):
    """Base of all errors that are shown as one sentence, without a traceback."""

    exit_code = 4


class UsageError(UnquiltError):
    exit_code = 2


class MemoryTooSmall(UsageError):
    pass


class InputError(UnquiltError):
    exit_code = 3


class StudyError(InputError):
    pass


class DamagedTable(InputError):
    pass


class CannotGoOn(UnquiltError):
    exit_code = 4


class StudyLocked(CannotGoOn):
    pass


class NoRoom(CannotGoOn):
    pass


class NotWritable(CannotGoOn):
    pass


class StepFailed(CannotGoOn):
    pass


class Findings(UnquiltError):
    exit_code = 1


class Interrupted(BaseException):
    """Not an Exception, like KeyboardInterrupt: nothing between the engine and the face may swallow it."""

    exit_code = EXIT_INTERRUPTED
