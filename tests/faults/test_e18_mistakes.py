"""E18: a mistake in a setting is one line that names it, exit code 2, and nothing is made."""

import socket

import pytest

SEED = ["--seed", "http://a.test/"]
MISTAKES = [
    (["crawl", "spiders", *SEED, "--speed", "9"], "--speed"),
    (["crawl", "spiders", *SEED, "--pages", "many"], "--pages"),
    (["crawl", "spiders", *SEED, "--pages", "-5"], "-5"),
    (["crawl", "spiders", *SEED, "--delay", "-1"], "delay"),
    (["crawl", "spiders", *SEED, "--delay", "nan"], "nan"),
    (["crawl", "spiders", *SEED, "--timeout", "0"], "timeout"),
    (["crawl", "spiders", *SEED, "--workers", "99999999999999999999"], "workers"),
    (["crawl", "spiders"], "seed"),
    (["crawl", "spiders", "--seed", ""], "seed"),
    (["crawl", "spiders", "--seed", "javascript:alert(1)"], "javascript"),
    (["crawl", *SEED], "keywords"),
    (["crawl", "spiders", "--seeds-file", "missing.txt"], "missing.txt"),
    (["crawl", "spiders", "--seeds-file", "binary.txt"], "binary.txt"),
    (["crawl", "spiders", *SEED, "--strategy", "worst"], "worst"),
    (["crawl", "spiders", *SEED, "--set", "x=1"], "x"),
    (["crawl", "spiders", *SEED, "--judge", "nobody"], "nobody"),
    (["crawl", "spiders", *SEED, "--proxy", "nonsense"], "nonsense"),
    (["crawl", "spiders", *SEED, "--allow", "10.0.0.0/99"], "10.0.0.0/99"),
    (["crawl", "spiders", *SEED, "--within", "a/b"], "a/b"),
    (["crawl", "spiders", *SEED, "--out", "/dev/null/x"], "/dev/null/x"),
    (["crawl", "spiders", *SEED, "--agent", "a\nb"], "agent"),
    (["crawl", "spiders", *SEED, "--until", "7"], "7"),
    (["resume", "."], "not a collection"),
    (["status", "nowhere"], "nowhere"),
    (["export", "nowhere", "x.jsonl"], "nowhere"),
    (["search", "nowhere", "x"], "nowhere"),
    (["serve", "--port", "99999"], "99999"),
    (["serve", "--address", "0.0.0.0"], "token"),
    (["serve", "--token", "short"], "token"),
    (["serve", "--rate", "-1"], "rate"),
    (["lab", "run", "made:pages=nonsense"], "nonsense"),
    (["lab", "run", "nowhere"], "nowhere"),
    (["bed", "check", "nowhere"], "nowhere"),
    (["community", "refresh", "nowhere"], "nowhere"),
    (["fly"], "fly"),
]


@pytest.mark.row("E18")
def test_every_mistake_is_named_in_one_line(figure, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)))
    wrong = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for words, named in [*MISTAKES, (["serve", "--port", port], port)]:
            code, out, said = run(*words)
            lines = said.strip().splitlines()
            left = [path.name for path in tmp_path.iterdir() if path.name != "binary.txt"]
            if code != 2 or len(lines) != 1 or named not in said or "Traceback" in said + out or left:
                wrong.append((words, code, said, left))
    figure(f"{len(MISTAKES) + 1 - len(wrong)} of {len(MISTAKES) + 1} named in one line")
    assert not wrong
