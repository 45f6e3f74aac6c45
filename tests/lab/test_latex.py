"""LaTeX that prints what was meant."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.latex import escape, tabular


def test_labels_of_ways_print_as_they_are():
    assert escape("best_n:n=16|64 & 5% {x} #1 $a^b~c\\d") == (
        r"best\_n:n=16\textbar{}64 \& 5\% \{x\} \#1 \$a\textasciicircum{}b\textasciitilde{}c\textbackslash{}d"
    )
    assert escape("a--b---c best-first −1 – 2 ± 3") == (r"a-{}-b-{}-{}-c best-first $-$1 \textendash{} 2 $\pm$ 3")


@given(st.text(max_size=40))
def test_no_text_breaks_out_of_its_cell(text):
    printed = re.sub(r"\\(text[a-z]+\{\}|pm|[&%$#_{}])", "", escape(text)).replace("$-$", "").replace("$$", "")
    assert not set("\\&%#_~^\n\r") & set(printed)
    assert printed.replace("-{}", "").count("{") == 0
    assert "$" not in printed


def test_a_tabular_has_its_rules_and_notes_stay_comments():
    told = tabular(["a", "b"], [["1", "2"]], "lr", notes=["one\n\\input{x}"])
    assert told.splitlines() == [
        r"% Needs \usepackage{booktabs}.",
        r"% one \input{x}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"1 & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
