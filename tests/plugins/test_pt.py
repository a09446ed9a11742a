"""pt-contractions: which tokens are split, what stays, and how often that is right."""

from __future__ import annotations

import doctest
import re
import runpy
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import Registry, Scorer
from bleuprint_pt._contractions import inventory

ROOT = Path(__file__).parents[2]

Cut = Callable[[str], str]
REGISTRY = Registry.installed()
SEGMENTER = REGISTRY.build("pt-contractions")
ROWS = inventory().rows


def cut(line: str, name: str = "pt-contractions") -> str:
    """Return the tokens of a line, separated by spaces (none of them holds one)."""
    [tokens] = REGISTRY.build(name).segment_batch([line])
    return " ".join(tokens)


def golden() -> list[tuple[str, str]]:
    text = (ROOT / "fixtures/pt/contractions.tsv").read_text("utf-8")
    return [(line, tokens) for line, tokens in (row.split("\t") for row in text.splitlines())]


@pytest.mark.parametrize(("line", "tokens"), golden())
def test_segments_match_golden(line: str, tokens: str) -> None:
    assert cut(line) == tokens


# --- the inventory ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ROWS)
def test_every_form_follows_its_policy(form: str) -> None:
    row = ROWS[form]
    split = row.policy in ("split", "context")
    words = " ".join(row.expansion) if split else form
    assert cut(form) == words
    assert cut(form.capitalize()) == words[0].upper() + words[1:]
    if len(form) > 1:  # one capital letter is a title
        assert cut(form.upper()) == words.upper()


def test_inventory_is_normalised_complete_and_reasoned() -> None:
    assert len(ROWS) == 195
    for form, row in ROWS.items():
        assert form == unicodedata.normalize("NFC", form).lower()
        assert form.isalpha()
        assert len(row.expansion) >= 2
        assert row.group in "ABCDEFG"
        assert row.reason
    assert {row.form for row in ROWS.values() if row.policy == "context"} == {"nos"}
    assert {row.policy for row in ROWS.values() if row.group == "G"} == {"never"}


def test_no_expansion_holds_a_form_that_is_split_again() -> None:
    split = {form for form, row in ROWS.items() if row.policy in ("split", "context")}
    for row in ROWS.values():
        assert split.isdisjoint(row.expansion)


@pytest.mark.parametrize("word", ["aonde", "doravante", "embora", "outrora", "dentro", "mas"])
def test_words_that_only_look_fused_stay(word: str) -> None:
    assert cut(word) == word


# --- case, normal form, edges -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("da", "de a"),
        ("Da", "De a"),
        ("DA", "DE A"),
        ("No", "Em o"),
        ("NO", "EM O"),
        ("à", "a a"),
        ("À", "A a"),
        ("ÀS", "A AS"),
        ("Àqueloutros", "A aqueles outros"),
        ("PELOS", "POR OS"),
        ("Connosco", "Com nós"),
    ],
)
def test_case_is_kept(form: str, words: str) -> None:
    assert cut(form) == words


@pytest.mark.parametrize("name", ["DoS", "NaS", "dA", "daS", "dOs"])
def test_names_in_mixed_case_stay(name: str) -> None:
    assert cut(name) == name


@pytest.mark.parametrize("line", ["À saída", "daí às três", "«à", "fazê-la", "dá-se"])
def test_decomposed_text_is_cut_like_composed(line: str) -> None:
    assert cut(unicodedata.normalize("NFD", line)) == cut(line)


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("«no", "«em o"),
        ("no»", "em o»"),
        ("«no»", "«em o»"),
        ("“Pelo", "“Por o"),
        ("‘na’", "‘em a’"),
        ("'na'", "'em a'"),
        ("—Na rua", "—Em a rua"),
        ("-Na rua", "-Em a rua"),
        ("--na rua", "--em a rua"),
        ("rua –da", "rua –de a"),
        ("no…", "em o…"),
        ("«Dá-lo»", "«Dá lo»"),
        ("«nos últimos", "«em os últimos"),
        ("nos últimos»", "em os últimos»"),
        ("«nos fez", "«nos fez"),
        ("nos fez»", "nos fez»"),
        ("«", "«"),
        ("--", "--"),
    ],
)
def test_quotes_and_dashes_at_the_edge_stay_and_are_looked_past(line: str, tokens: str) -> None:
    assert cut(line) == tokens


@pytest.mark.parametrize("token", ["-no", "-na", "-nos", "-nas"])
def test_pronoun_cut_off_its_verb_is_no_contraction(token: str) -> None:
    assert cut(f"deram {token}") == f"deram {token}"


@pytest.mark.parametrize(
    "token", ["d'água", "d’água", "d'Ávila", "n'Os", "pel'Os", "nó", "dá", "às1"]
)
def test_what_only_holds_a_form_is_not_split(token: str) -> None:
    assert cut(token) == cut(token, "13a")


# --- nos --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "following",
    [
        "anos 90",
        "últimos anos",
        "próximos meses",
        "empréstimos",
        "acréscimos",
        "mínimos detalhes",
        "termos da lei",
        "primos",
        "mesmos dias",
        "dois casos",
        "quatro cantos",
        "dez anos",
        "EUA",
        "Estados Unidos",
        "quais",
        "que ficaram",
        "da frente",
        "tão falados anos",
        "«grandes» centros",
        "1.200 metros",
        ", e",
        "",
    ],
)
def test_nos_before_a_noun_phrase_is_split(following: str) -> None:
    assert cut(f"E nos {following}").startswith("E em os")


@pytest.mark.parametrize(
    "following",
    [
        "disse",
        "fez",
        "ajudarem",
        "dá",
        "quis",
        "propôs",
        "vemos",
        "encontramos",
        "encontrámos",
        "encontrávamos",
        "sentíamos",
        "fôssemos",
        "pudéssemos",
        "tínhamos",
        "reunirmos",
        "mantermos",
        "somos",
        "dispomos",
    ],
)
def test_nos_before_a_verb_is_the_pronoun(following: str) -> None:
    assert cut(f"Isso nos {following} lá") == f"Isso nos {following} lá"


# --- clitics ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("dá-lo", "dá lo"),
        ("Fê-lo", "Fê lo"),
        ("fazê-las", "fazê las"),
        ("disse-me", "disse me"),
        ("deram-nos", "deram nos"),
        ("deram-no", "deram no"),
        ("deu-mo", "deu mo"),
        ("deu-lhos", "deu lhos"),
        ("dá-se-lhe", "dá se lhe"),
        ("no-lo", "no lo"),
        ("vo-lo", "vo lo"),
        ("deu-no-las", "deu no las"),
        ("deu-vo-la", "deu vo la"),
        ("dar-te-ei", "dar te ei"),
        ("ajustar-se-ia", "ajustar se ia"),
        ("dá-lo-ei", "dá lo ei"),
        ("dar-vo-lo-íamos", "dar vo lo íamos"),
        ("é-lhe", "é lhe"),
        ("dá\N{NON-BREAKING HYPHEN}lo", "dá lo"),
    ],
)
def test_hyphenated_pronouns_are_cut_unless_switched_off(token: str, words: str) -> None:
    assert cut(token) == words
    assert cut(token, "pt-contractions[clitics=on]") == words
    assert cut(token, "pt-contractions[clitics=off]") == unicodedata.normalize("NFC", token)


@pytest.mark.parametrize(
    "token",
    [
        "PMDB-MA",
        "PT-SE",
        "Palmas-TO",
        "FHC-se",
        "guarda-chuva",
        "pé-de-meia",
        "Trás-os-Montes",
        "Montemor-o-Novo",
        "disse-que-disse",
        "deu-vo",
        "a-lo",
        "dar-ei",
        "x-o",
    ],
)
def test_other_hyphens_stay(token: str) -> None:
    assert cut(token) == token


def test_without_clitics_contractions_are_still_undone() -> None:
    assert cut("Deram-no no dia", "pt-contractions[clitics=off]") == "Deram-no em o dia"


# --- scores -----------------------------------------------------------------------------------


FUSED = "O livro da menina está na mesa do professor."
UNDONE = "O livro de a menina está em a mesa de o professor."


@pytest.mark.parametrize(("hypothesis", "reference"), [(FUSED, UNDONE), (UNDONE, FUSED)])
def test_contracted_and_expanded_text_match_in_both_directions(
    hypothesis: str, reference: str
) -> None:
    assert cut(hypothesis) == cut(reference)
    assert Scorer(lang="pt").corpus([hypothesis], [reference]).score == 100.0


def test_13a_sees_contracted_and_expanded_text_as_different() -> None:
    assert Scorer(segmenter="13a").corpus([FUSED], [UNDONE]).score == pytest.approx(
        11.19, abs=0.005
    )


# --- properties -------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [*ROWS, "casa", "anos", "fez", "últimos", "dá-lo", "PMDB-MA", "d'água", "1.5", "2-no", ","]
)
EDGES = st.sampled_from(["", "", "", "«", "»", "“", "-", "—", "'", "…"])
CASES = st.sampled_from([str.lower, str.upper, str.capitalize, str.swapcase])
TOKENS = st.builds(lambda a, case, word, b: a + case(word) + b, EDGES, CASES, PIECES, EDGES)
LINES = st.lists(TOKENS | st.text(max_size=8), max_size=12).map(" ".join)


@given(st.lists(LINES, max_size=6))
def test_batch_is_cut_like_its_lines_one_by_one(lines: list[str]) -> None:
    fresh = Registry.installed().build("pt-contractions")  # its memory is empty
    batch = fresh.segment_batch(lines)
    assert batch == [SEGMENTER.segment_batch([line])[0] for line in lines]
    assert batch == fresh.segment_batch(lines)


@given(LINES)
def test_no_token_is_empty_or_white_space(line: str) -> None:
    [tokens] = SEGMENTER.segment_batch([line])
    assert all(token.strip() == token != "" for token in tokens)


@given(st.sampled_from(["", " ", "\t \u3000", "\n"]))
def test_blank_lines_have_no_tokens(line: str) -> None:
    assert SEGMENTER.segment_batch([line]) == [[]]


@given(st.lists(st.sampled_from([*ROWS, "casa", "mesa", "anos"]), max_size=12).map(" ".join))
def test_expanded_text_is_left_alone(line: str) -> None:
    """Undoing twice is undoing once, but for the pronoun `nos`, whose next word may change."""
    once = cut(line.replace("nos", "nas"))
    assert cut(once) == once


@given(st.text(alphabet="-'«no—", min_size=1).map(lambda text: text * 40))
def test_long_tokens_are_cut_like_any_other(line: str) -> None:
    [tokens] = SEGMENTER.segment_batch([line])
    assert "".join(tokens).replace("emo", "no") == line.replace("emo", "no")


# --- documentation ----------------------------------------------------------------------------

PAGE = (ROOT / "docs/portuguese.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "tokens"), re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)
)
def test_documented_examples_are_cut_as_shown(line: str, tokens: str) -> None:
    assert cut(line) == tokens


def test_documented_session_runs_as_shown() -> None:
    [session] = re.findall(r"^```pycon\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest(session, {}, "portuguese.md", None, 0)
    assert doctest.DocTestRunner().run(test) == (0, 5)


def test_documented_policies_have_the_forms_they_claim() -> None:
    claimed = re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE)
    counted = Counter(row.policy for row in ROWS.values())
    assert {policy: int(number) for policy, number in claimed} == counted


# --- identity and accuracy --------------------------------------------------------------------


def test_fingerprint_names_the_table_by_digest() -> None:
    assert SEGMENTER.fingerprint["table"] == inventory().digest
    assert len(inventory().digest) == 8


def test_treebank_contractions_are_found(shared_data: Path) -> None:
    """From raw text: at least 0.99 precision and 0.995 recall on the Bosque test set."""
    benchmark = runpy.run_path(str(ROOT / "benchmarks/pt_contractions.py"))
    sentences = benchmark["read"](shared_data / "ud/pt_bosque-test.conllu")
    tally = benchmark["measure"](sentences)["contractions"]
    assert tally.right >= 0.99 * tally.found, tally.wrong
    assert tally.right >= 0.995 * tally.due, tally.wrong
