"""What a careful colleague would point out about the texts.  A note never changes a score.

* `_note`: the note itself, what each says, and how two of them add up
* `_side`: what can be seen in the hypotheses alone, or in the references alone
* `_scripts`: which scripts a text is in
* `_shapes`: what the shape and the counts of a corpus tell
* `_inspector`: looks at a corpus as it streams by, and compares the sides
"""

from bleuprint._notes._inspector import Inspector, SeenReferences
from bleuprint._notes._note import CODES, Note, merge_notes
from bleuprint._notes._shapes import no_ngram, square_references

__all__ = [
    "CODES",
    "Inspector",
    "Note",
    "SeenReferences",
    "merge_notes",
    "no_ngram",
    "square_references",
]
