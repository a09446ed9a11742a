"""SentencePiece (https://github.com/google/sentencepiece), Kudo and Richardson 2018."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import sentencepiece

from bleuprint.plugin import EngineError


class Pieces:
    """The best segmentation of a line by a model; nothing is sampled."""

    def __init__(self, model: str) -> None:
        """Load the model in the file `model`.

        Raises:
            EngineError: the file holds no SentencePiece model.
        """
        self._processor = sentencepiece.SentencePieceProcessor()
        try:
            self._processor.Load(model)
        except (OSError, RuntimeError) as error:
            raise EngineError(f"{model} is no SentencePiece model: {error}") from error

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The release of SentencePiece; the model's digest stands in a signature as an option."""
        return {"sentencepiece": version("sentencepiece")}

    def segment_batch(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each line, of which the first of a word begins with U+2581.

        A model that keeps white space may have pieces that hold some: those are parted there, as
        in what sacreBLEU prints and reads again.
        """
        # such a model would also make pieces of the white space that a blank line consists of
        texts = ["" if line.isspace() else line for line in lines]
        encoded = self._processor.encode(texts, out_type=str, num_threads=1)
        return [" ".join(pieces).split() for pieces in encoded]
