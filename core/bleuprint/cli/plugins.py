"""``bleuprint plugins``: what is installed, and what of it is broken."""

from __future__ import annotations

import json

import click

from bleuprint._registry import Registry
from bleuprint.cli._options import registry_options
from bleuprint.cli._tables import print_rows


@click.command("plugins")
@registry_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(plugin_files: tuple[str, ...], disabled: tuple[str, ...], as_json: bool) -> int:
    """List the plugins with what they offer.  Exits with 1 where one is broken."""
    registry = Registry.installed(disabled=disabled, files=plugin_files)
    offered: dict[tuple[str, str, str], list[str]] = {}
    for offer in registry.offers:
        key = (offer.origin.distribution, offer.origin.version, offer.origin.entry)
        offered.setdefault(key, []).append(offer.spec.name)
    broken = {
        (f.origin.distribution, f.origin.version, f.origin.entry): f.reason
        for f in registry.failures
    }
    keys = sorted({*offered, *broken})
    if as_json:
        listing = [
            {
                "distribution": key[0],
                "version": key[1],
                "entry": key[2],
                "state": "broken" if key in broken else "loaded",
                "segmenters": offered.get(key, []),
                "error": broken.get(key),
            }
            for key in keys
        ]
        click.echo(json.dumps(listing, indent=2))
    else:
        rows = [
            (
                key[2],
                f"{key[0]} {key[1]}".strip(),
                "broken" if key in broken else "loaded",
                broken.get(key) or ", ".join(offered[key]),
            )
            for key in keys
        ]
        print_rows("text", ("plugin", "from", "state", "segmenters, or what is wrong"), rows)
    return 1 if broken else 0
