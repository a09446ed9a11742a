"""From a signature back to the settings that it states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint._errors import RebuildError
from bleuprint._registry import Registry
from bleuprint._signature import SegmenterId, Signature

__all__ = ["settings_of"]

#: What sacreBLEU calls by these names is a SentencePiece model that it downloads.
_MODELS = {"spm": "flores101", "flores101": "flores101", "flores200": "flores200"}


def settings_of(signature: Signature, registry: Registry) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the arguments of a Scorer, and the provenance that its segmenter has to show.

    Raises:
        RebuildError: something that is needed is not stated, or cannot be had here.
    """
    missing = [key for key in ("case", "tok", "smooth") if getattr(signature, key) is None]
    if missing:
        raise RebuildError(
            f"the signature does not state {' and '.join(missing)}: without it there is no telling "
            "how its score was made"
        )
    method, value = signature.smoothing or ("", None)
    if method in ("floor", "add-k") and value is None:
        raise RebuildError(f"smooth:{method} states no value, and versions differ in their default")
    segmenter, pinned = _segmenter_of(signature, registry)
    settings: dict[str, Any] = {
        "segmenter": segmenter,
        "lowercase": {"mixed": False, "lc": True, "lc.tr": "tr"}[signature.case or "mixed"],
        "normalize": signature.norm or "none",
        "max_order": _whole_number(signature.order or "4"),
        "smoothing": method,
        "smoothing_value": value,
        "effective_order": signature.eff == "yes",
    }
    return settings, pinned


def _segmenter_of(signature: Signature, registry: Registry) -> tuple[str, dict[str, str]]:
    wanted = SegmenterId.parse(signature.tok or "")
    name, provenance = wanted.canonical_name, dict(wanted.provenance)
    if name.startswith("object-"):
        raise RebuildError(
            f"tok:{name} was an object of its user's own, which no signature can bring back: pass "
            "it as segmenter="
        )
    if name in _MODELS and not wanted.options:
        raise RebuildError(
            f"tok:{name} needs a SentencePiece model that the signature cannot hold: name the "
            f"folder that has it with --segmenter '{_MODELS[name]}[dir=DIR]'"
        )
    dist = provenance.pop("dist", None)
    offer = registry.find(name)
    built_in = offer.origin.built_in
    if (dist is None) is not built_in or (
        dist is not None and _name_of(dist) != offer.origin.distribution
    ):
        theirs = f"distribution {dist}" if dist else "bleuprint itself"
        raise RebuildError(
            f"tok:{name} is of {theirs} in the signature; here {offer.origin} offers that name"
        )
    for key, value in wanted.options:
        option = offer.spec.options.get(key)
        if option is not None and option.file:
            raise RebuildError(
                f"tok:{name} needs the file for its option {key} whose SHA-256 is {value}: name it "
                f"with --segmenter '{name}[{key}=FILE]'"
            )
    text = str(SegmenterId.of(name, dict(wanted.options)))
    return text, {k: v for k, v in provenance.items() if k.startswith(("dict", "probe"))}


def _name_of(dist: str) -> str:
    return dist.rpartition("-")[0] or dist


def _whole_number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise RebuildError(f"order:{text[:40]}: expected a whole number, and no such large one")
    return int(text)


def check_pinned(wanted: SegmenterId, own: SegmenterId) -> None:
    """Refuse a segmenter that is not the one that a name with provenance pins.

    Raises:
        RebuildError: dictionary, probe or distribution differ; the message lists both.
    """
    stated, here = dict(wanted.provenance), dict(own.provenance)
    pinned = {k: v for k, v in stated.items() if k.startswith(("dict", "probe"))}
    differences = unmet(pinned, here)
    if _name_of(stated.get("dist", "")) not in ("", _name_of(here.get("dist", ""))):
        differences += unmet({"dist": stated["dist"]}, here)
    if differences:
        raise RebuildError(
            f"segmenter {wanted.name!r} is not the one that its brackets pin: "
            + "; ".join(differences).replace("in the signature", "in the brackets")
        )


def unmet(pinned: Mapping[str, str], own: Mapping[str, str]) -> list[str]:
    """List what the installed segmenter shows otherwise than the signature pins it."""
    return [
        f"{key} is {own.get(key, 'not stated')} here and {value} in the signature"
        for key, value in pinned.items()
        if own.get(key) != value
    ]
