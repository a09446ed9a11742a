"""What can be seen in the shape of a corpus and in its counts, without its texts."""

from __future__ import annotations

from bleuprint._notes._note import Note

__all__ = ["no_ngram", "square_references"]


def square_references(segments: int) -> Note:
    """Note that there are as many references a segment as segments: these may be streams."""
    return Note(
        code="square-references",
        message=f"{segments} segments with {segments} references each: taken by segment; if each "
        "list is a reference file, use bleuprint.by_segment(stream, stream, ...)",
        count=segments,
        first=None,
    )


def no_ngram(max_order: int, segments: int) -> Note:
    """Note that no hypothesis is as long as the longest n-gram."""
    return Note(
        code="no-ngram",
        message=f"no hypothesis has a {max_order}-gram: the score is 0 whatever the texts; score "
        "short texts by sentence, or with effective order",
        count=segments,
        first=1,
    )
