"""The version, in a module that imports nothing."""

from __future__ import annotations

VERSION = "0.1.0"
