"""D6: a meta refresh leads where it leads in browsers."""

import pytest
from reading import links

PAGE = "http://a.test/dir/page"
HERE: list[str] = []
CASES = {
    "0;url=/x": ["http://a.test/x"],
    "0; url=/x": ["http://a.test/x"],
    "0;URL=/x": ["http://a.test/x"],
    "0 ; url = /x": ["http://a.test/x"],
    "0;url='/x'": ["http://a.test/x"],
    '0;url="/x"': ["http://a.test/x"],
    "0;url='/x'rest": ["http://a.test/x"],
    "0,url=/x": ["http://a.test/x"],
    "0;/x": ["http://a.test/x"],
    "0 /x": ["http://a.test/x"],
    "0.5;url=/x": ["http://a.test/x"],
    ".5;url=/x": ["http://a.test/x"],
    "999999;url=/x": ["http://a.test/x"],
    "   3   ;   url   =   /x   ": ["http://a.test/x"],
    "0;url=http://b.test/": ["http://b.test/"],
    "0;url=//b.test/": ["http://b.test/"],
    "0;url=x": ["http://a.test/dir/x"],
    "0": HERE,
    "": HERE,
    "url=/x": HERE,
    ";url=/x": HERE,
    "x;url=/x": HERE,
    "-1;url=/x": HERE,
    "0;url=": HERE,
    "0;url=javascript:alert(1)": HERE,
    "0;url=data:text/html,x": HERE,
    "0;url=#top": HERE,
    "0;url=" + "x" * 5000: HERE,
}
PLACES = {
    "<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>": ["http://a.test/x"],
    "<!-- <meta http-equiv=refresh content='0;url=/x'> -->": HERE,
    "<meta http-equiv=REFRESH content='0;url=/x'>": ["http://a.test/x"],
    "<meta name=refresh content='0;url=/x'>": HERE,
    "<script>'<meta http-equiv=refresh content=\"0;url=/x\">'</script>": HERE,
    "<body><meta http-equiv=refresh content='0;url=/x'>": ["http://a.test/x"],
}


@pytest.mark.row("D6")
def test_a_refresh_leads_where_it_leads_in_browsers(figure):
    quoted = {content: f'<meta http-equiv=refresh content="{content.replace(chr(34), "&quot;")}">' for content in CASES}
    wrong = {content: found for content, tag in quoted.items() if (found := links(tag, PAGE)) != CASES[content]}
    wrong |= {tag: found for tag, wanted in PLACES.items() if (found := links(tag, PAGE)) != wanted}
    total = len(CASES) + len(PLACES)
    figure(f"{total - len(wrong)} of {total} as in browsers")
    assert not wrong
