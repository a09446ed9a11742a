"""``bleuprint segmenters``: what there is to cut text with."""

from __future__ import annotations

import json

import click

from bleuprint._registry import Offer
from bleuprint.cli._options import load_registry, registry_options
from bleuprint.cli._tables import print_rows


@click.command("segmenters")
@registry_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(plugin_files: tuple[str, ...], disabled: tuple[str, ...], as_json: bool) -> None:
    """List the segmenters: name, languages, options, and whether they are ready.

    No engine is imported for it.
    """
    registry = load_registry(disabled=disabled, files=plugin_files)
    offers = sorted(registry.offers, key=lambda offer: (offer.spec.name, str(offer.origin)))
    rivals = {name: sum(offer.spec.name == name for offer in offers) for name in registry.names()}
    states = [_state(offer, rivals[offer.spec.name]) for offer in offers]
    if as_json:
        click.echo(
            json.dumps([_as_json(o, s) for o, s in zip(offers, states, strict=True)], indent=2)
        )
        return
    rows = [
        (
            offer.spec.name,
            _shortened(offer.spec.languages),
            state,
            str(offer.origin),
            offer.spec.summary + _options(offer),
        )
        for offer, state in zip(offers, states, strict=True)
    ]
    print_rows("text", ("segmenter", "languages", "state", "from", "what it is"), rows)


def _shortened(languages: tuple[str, ...]) -> str:
    if len(languages) > 7:
        return f"{' '.join(languages[:5])} and {len(languages) - 5} more"
    return " ".join(languages) or "any"


def _state(offer: Offer, rivals: int) -> str:
    if rivals > 1:
        return "conflict: offered twice"
    if offer.spec.missing:
        if offer.spec.install:
            return f'needs: pip install "{offer.spec.install}"'
        return f"needs: {', '.join(offer.spec.missing)}"
    return "ready"


def _options(offer: Offer) -> str:
    shown = [
        f"{key}={'|'.join(option.choices) or ('FILE' if option.file else option.default or 'TEXT')}"
        for key, option in sorted(offer.spec.options.items())
    ]
    return f" [{', '.join(shown)}]" if shown else ""


def _as_json(offer: Offer, state: str) -> dict[str, object]:
    spec = offer.spec
    return {
        "name": spec.name,
        "languages": list(spec.languages),
        "state": state.partition(":")[0],
        "missing": list(spec.missing),
        "install": f'pip install "{spec.install}"' if spec.install else None,
        "distribution": offer.origin.distribution,
        "version": offer.origin.version,
        "entry": offer.origin.entry,
        "options": {
            key: {
                "default": option.default,
                "choices": list(option.choices) or None,
                "file": option.file,
                "summary": option.summary,
            }
            for key, option in sorted(spec.options.items())
        },
        "rewrites": spec.rewrites,
        "max_chars": spec.max_chars,
        "summary": spec.summary,
    }
