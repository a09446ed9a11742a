"""The SentencePiece models of FLORES, which sacreBLEU downloads and we do not.

flores101 is that of Goyal et al. 2022, flores200 that of the NLLB team 2022; spBLEU is BLEU over
their pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bleuprint.plugin import EngineError, file_digest
from bleuprint_spm._spm import Pieces


class FloresPieces(Pieces):
    """The pieces of a model that goes by a name of its own."""

    def __init__(self, model: str, *, digest: str) -> None:
        super().__init__(model)
        self._digest = digest

    @property
    def fingerprint(self) -> Mapping[str, str]:
        """The release of SentencePiece, and the SHA-256 of the model."""
        return {**super().fingerprint, "model": self._digest}


@dataclass(frozen=True, kw_only=True)
class Model:
    """A published model, by the names that its file goes by."""

    name: str
    files: tuple[str, ...]  #: as published, then as sacreBLEU keeps it
    digest: str | None  #: its SHA-256, in hex; None where it is not known

    def load(self, directory: str) -> FloresPieces:
        """Load the model from a directory.

        Raises:
            EngineError: it is not there, or is another than the one that was published.
        """
        folder = Path(directory).expanduser()
        path = next((folder / file for file in self.files if (folder / file).is_file()), None)
        if path is None:
            raise EngineError(
                f"{self.name}[dir={directory}]: no file {' or '.join(self.files)} there; sacreBLEU "
                "keeps it in ~/.sacrebleu/models"
            )
        digest = file_digest(path)
        if self.digest not in (None, digest):
            raise EngineError(
                f"{path} is not the model of {self.name}: its SHA-256 is {digest}, that of the "
                f"model {self.digest}; any other model goes by spm[model=FILE]"
            )
        return FloresPieces(str(path), digest=digest)


# The digests are not known yet: no registry of packages has the files, and their publishers print
# none.  Every signature holds the digest of the model that was used, so that two can be compared.
MODELS = {
    model.name: model
    for model in (
        Model(
            name="flores101",
            files=("flores101_sacrebleu_tokenizer_spm.model", "sacrebleu_tokenizer_spm.model"),
            digest=None,
        ),
        Model(
            name="flores200",
            files=("flores200_sacrebleu_tokenizer_spm.model", "flores200sacrebleuspm"),
            digest=None,
        ),
    )
}
