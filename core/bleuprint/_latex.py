"""Text for LaTeX."""

from __future__ import annotations

__all__ = ["escape_latex"]

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\^{}", "~": r"\~{}", "\u00b1": r"$\pm$", "\u03bc": r"$\mu$",
    "\u2013": "--", "\n": " ",
})  # fmt: skip


def escape_latex(text: str) -> str:
    """Escape what LaTeX would take for a command."""
    return text.translate(_ESCAPES)
