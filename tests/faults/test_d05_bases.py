"""D5: <base href> means what it means in browsers, and never anything but http and https."""

import pytest
from reading import links

PAGE = "http://a.test/dir/page"
LINK = "<a href=x>x</a>"
CASES = {
    "<base href=/other/>": "http://a.test/other/x",
    "<base href=http://b.test/y/>": "http://b.test/y/x",
    "<base href=//b.test/y/>": "http://b.test/y/x",
    "<base href=sub/>": "http://a.test/dir/sub/x",
    "<base href=''>": "http://a.test/dir/x",
    "<base>": "http://a.test/dir/x",
    "<base target=_top>": "http://a.test/dir/x",
    "<base href=javascript:alert(1)>": "http://a.test/dir/x",
    "<base href=data:text/html,x>": "http://a.test/dir/x",
    "<base href=file:///etc/>": "http://a.test/dir/x",
    "<base href='ht tp://b.test/'>": "http://a.test/dir/ht%20tp://b.test/x",
    "<base href=/one/><base href=/two/>": "http://a.test/one/x",
    "<base target=_top><base href=/two/>": "http://a.test/two/x",
    "<!-- <base href=/comment/> -->": "http://a.test/dir/x",
    "<script>'<base href=/script/>'</script>": "http://a.test/dir/x",
    "<title><base href=/title/></title>": "http://a.test/dir/x",
    "<body><p>text<base href=/body/>": "http://a.test/body/x",
    "<BASE HREF=/UPPER/>": "http://a.test/UPPER/x",
    "<base href='  /blank/  '>": "http://a.test/blank/x",
    "<base href=/query/?a=b>": "http://a.test/query/x",
    "<base href=/fragment/#a>": "http://a.test/fragment/x",
    "<base href=../up/>": "http://a.test/up/x",
    "<base href=https://a.test/>": "https://a.test/x",
    "<base href=?q>": "http://a.test/dir/x",
    "<template><base href=/template/></template>": "http://a.test/dir/x",
}


@pytest.mark.row("D5")
def test_a_base_means_what_it_means_in_browsers(figure):
    got = {base: links(base + LINK, PAGE) for base in CASES}
    wrong = {base: found for base, found in got.items() if found != [CASES[base]]}
    after = links(f"{LINK}<base href=/after/>", PAGE)
    if after != ["http://a.test/after/x"]:
        wrong["after the link"] = after
    figure(f"{len(CASES) + 1 - len(wrong)} of {len(CASES) + 1} as in browsers")
    assert not wrong
