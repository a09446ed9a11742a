"""Every error that bleuprint raises on purpose.

* BleuprintError
  x ShapeError               hypotheses and references that do not pair up
  x SettingError             a setting out of range, or two that exclude each other
  x InputError               a file that cannot be read as it was asked for
    + LineTooLongError       a line beyond what the segmenter can take
  x LanguageError
    + UnknownLanguageError   no language has that code
    + NoSegmenterError       the language has no default segmenter
  x SegmenterError
    + UnknownSegmenterError  no plugin offers that name
    + SegmenterConflictError two plugins offer that name
    + MissingExtraError      the name is known, its engine is not installed
    + OptionError            an option the segmenter does not have, or a value it does not take
    + EngineError            the engine is installed and cannot be used
    + ContractError          the segmenter broke the contract while it ran
  x SignatureError
    + SignatureSyntaxError   a string that is no signature
    + RebuildError           a signature whose settings cannot be had here
    + IncomparableError      scores or statistics that were made in unlike ways
  x SuiteError               a suite file that does not say what to do

Catch `BleuprintError` for all of them.  Every message says who, what, and the way out, and stands
on its own: the command line prints it as it is and exits with 2.
"""

from __future__ import annotations


class BleuprintError(Exception):
    """Base of every error that a caller may want to catch."""


class ShapeError(BleuprintError, ValueError):
    """Hypotheses and references do not pair up; the message has both counts or the index."""


class SettingError(BleuprintError, ValueError):
    """A setting is out of range, or two settings exclude each other."""


class InputError(BleuprintError):
    """A file cannot be read as it was asked for; the message has the file, if known the line."""


class LineTooLongError(InputError):
    """A line is longer than the segmenter's engine can take; the message has its number."""


class LanguageError(BleuprintError, LookupError):
    """A language cannot be used."""


class UnknownLanguageError(LanguageError):
    """No language has that code."""


class NoSegmenterError(LanguageError):
    """The language is known and has no default segmenter; the message names the ways out."""


class SegmenterError(BleuprintError):
    """A segmenter cannot be found, built or run."""


class UnknownSegmenterError(SegmenterError, LookupError):
    """No plugin that loaded offers a segmenter of that name."""


class SegmenterConflictError(SegmenterError):
    """Two plugins offer a segmenter of that name; the message names both."""


class MissingExtraError(SegmenterError, ImportError):
    """The segmenter is known, but the library that it drives is not installed."""


class OptionError(SegmenterError, ValueError):
    """The segmenter has no such option, or the option does not take that value."""


class EngineError(SegmenterError):
    """The engine is installed but unusable: a missing dictionary, a wrong digest, a clash."""


class ContractError(SegmenterError):
    """A segmenter broke its contract while it ran; the message has its plugin and the line."""


class SignatureError(BleuprintError, ValueError):
    """Something about a signature."""


class SignatureSyntaxError(SignatureError):
    """The string is not a signature that bleuprint or sacreBLEU writes."""


class RebuildError(SignatureError):
    """The settings that a signature names cannot be had here; the message lists why."""


class IncomparableError(SignatureError):
    """Scores or statistics were made in unlike ways; the message names the differences."""


class SuiteError(BleuprintError, ValueError):
    """A suite file does not say what to do; the message has file, key and, if known, the line."""
