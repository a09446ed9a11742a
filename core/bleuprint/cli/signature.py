"""``bleuprint signature``: explain one, or say whether two scores may be compared."""

from __future__ import annotations

import click

from bleuprint._signature import Signature

_MEANING = {
    "nrefs": "references a segment",
    "bs": "bootstrap samples",
    "ar": "approximate randomization trials",
    "seed": "seed of the resampling",
    "test": "test set, by sacreBLEU's name",
    "lang": "language pair",
    "origlang": "only segments written in this language at first",
    "subset": "only this part of the test set",
    "case": "case: mixed keeps it, lc ignores it, lc.tr ignores it as Turkish does",
    "norm": "normalisation of both sides, in the order in which it ran",
    "eff": "effective order: whether orders that no text reaches are left out",
    "order": "longest n-gram",
    "tok": "segmenter, by name[options;provenance]",
    "smooth": "what stands in for an order without matches",
    "version": "what computed it",
}


@click.command("signature")
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
def command(first: str, second: str | None) -> int:
    """Explain the signature A, or say whether the scores of A and B may be compared.

    Signatures of bleuprint and of sacreBLEU (2.x long and short, 1.x) are read, or whole score
    lines that hold one.  Exits with 1 where two scores may not be compared.
    """
    a = Signature.parse(first)
    if second is None:
        _explain(a)
        return 0
    return _compare(a, Signature.parse(second))


def _explain(signature: Signature) -> None:
    click.echo(str(signature))
    for key, meaning in _MEANING.items():
        value = getattr(signature, key)
        if value is not None:
            click.echo(f"  {key:<9} {value}\n            {meaning}")
    segmenter = signature.segmenter
    if segmenter is not None:
        for title, pairs in (("option", segmenter.options), ("provenance", segmenter.provenance)):
            for key, value in pairs:
                click.echo(f"            {title} {key}: {value}")
    unstated = [key for key in ("case", "norm", "eff", "order", "tok", "smooth")
                if getattr(signature, key) is None]  # fmt: skip
    if unstated:
        click.echo(f"  not stated: {', '.join(unstated)}")
    click.echo(
        f"  digest    {signature.digest}\n            shared by the scores it may be compared to"
    )


def _compare(a: Signature, b: Signature) -> int:
    comparison = a.compare(b)
    for key, value in comparison.assumptions.items():
        click.echo(f"taken for granted: {key}:{value}, where one of the two does not state it")
    if not comparison.differences:
        click.echo("The scores may be compared.")
        return 0
    click.echo("The scores may not be compared:")
    for key, (mine, theirs) in comparison.differences.items():
        click.echo(f"  {key}: {mine or 'not stated'} and {theirs or 'not stated'}")
        click.echo(f"     {_MEANING[key]}")
    return 1
