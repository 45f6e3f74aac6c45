"""A strategy that looks at what it was not given is stopped, named, and told what it tried."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import msgspec
import pytest

from lycosa.lab.comparison import Track
from lycosa.lab.crawler import TopiclessWorld, crawl, open_in_worker
from lycosa.lab.trial import Trial
from lycosa.lab.world import open_world
from lycosa.system.process_pool import pool
from lycosa.web.made import Made
from lycosa.web.testbed import TOPICS, make_bed

MADE = "made:pages=400,topics=4,seed=3"

HEAD = """
import _thread, asyncio, ctypes, datetime, gc, glob, importlib.machinery, inspect, logging, os, pathlib, random
import resource, secrets, shutil, signal, socket, sqlite3, subprocess, sys, threading, time, traceback
import urllib.request, uuid, warnings
from dataclasses import dataclass
from datetime import date, datetime as moment
from time import monotonic, time as now
import numpy as np
import lycosa
from lycosa import Strategy, Ticket
from lycosa.core.urls import site_of
from lycosa.core.words import terms

def lycosa_rooms(name):
    return name.startswith("lycosa.") and name.split(".")[1] in ("web", "frontier", "store", "engine", "lab", "face")

assert not [*filter(lycosa_rooms, sys.modules)]

class Late(str):
    def __hash__(self):
        time.time()
        return 1

class Early(type(Strategy)):
    @property
    def context(cls):
        time.time()

class Sure(Strategy):
    def learn(self, visit):
        self.look()
        return [Ticket(url, visit.relevance, lane=url[-1], via=visit.url) for url in visit.links]
"""

CLOCK, FILES, NETWORK, RANDOM, MEMORY = "clock", "files", "network", "random", "memory"
SYSTEM, PROCESS, THREAD, ROOMS = "operating system", "process", "thread", "other rooms"
CHEATS = {
    "time.time()": CLOCK,
    "now()": CLOCK,
    "monotonic()": CLOCK,
    "time.monotonic_ns()": CLOCK,
    "time.perf_counter()": CLOCK,
    "time.process_time_ns()": CLOCK,
    "time.localtime()": CLOCK,
    "time.clock_gettime(0)": CLOCK,
    "datetime.datetime.now()": CLOCK,
    "moment.utcnow()": CLOCK,
    "moment.today()": CLOCK,
    "date.today()": CLOCK,
    "asyncio.BaseEventLoop.time(None)": CLOCK,
    "resource.getrusage(resource.RUSAGE_SELF)": CLOCK,
    "signal.setitimer(signal.ITIMER_REAL, 1)": CLOCK,
    "open('topics.jsonl')": FILES,
    "pathlib.Path('/etc/hostname').read_text()": FILES,
    "open('/tmp/notes', 'w')": FILES,
    "open('/tmp/notes.py', 'w')": FILES,
    "os.open('/etc/hostname', os.O_RDONLY)": FILES,
    "np.load('targets.npy')": FILES,
    "np.fromfile('targets.bin')": FILES,
    "importlib.machinery.SourceFileLoader('x', 'y').get_data('/etc/hostname')": FILES,
    "shutil.copyfile('/etc/hostname', '/tmp/notes')": FILES,
    "glob.glob('/*')": FILES,
    "sqlite3.connect(':memory:')": FILES,
    "os.listdir('/')": SYSTEM,
    "os.remove('/tmp/notes')": SYSTEM,
    "os.environ.update(NOTE='1')": SYSTEM,
    "os.system('true')": SYSTEM,
    "os.fork()": SYSTEM,
    "subprocess.run(['true'])": PROCESS,
    "threading.Thread(target=print).start()": THREAD,
    "_thread.start_new_thread(print, ())": THREAD,
    "socket.socket()": NETWORK,
    "socket.getaddrinfo('127.0.0.1', 80)": NETWORK,
    "urllib.request.urlopen('http://127.0.0.1:9/')": NETWORK,
    "ctypes.CDLL(None)": MEMORY,
    "gc.get_objects()": MEMORY,
    "gc.get_referrers(self)": MEMORY,
    "sys._getframe()": MEMORY,
    "inspect.currentframe()": MEMORY,
    "inspect.stack()": MEMORY,
    "sys._current_frames()": MEMORY,
    "sys.settrace(print)": MEMORY,
    "from lycosa.lab.oracle import Oracle": ROOMS,
    "from lycosa.web import made": ROOMS,
    "import lycosa.store.log": ROOMS,
    "importlib.import_module('lycosa.lab.world')": ROOMS,
    "from lycosa import hunt": ROOMS,
    "lycosa.hunt": ROOMS,
    "random.random()": RANDOM,
    "random.shuffle([1, 2])": RANDOM,
    "random.seed(1)": RANDOM,
    "random.Random()": RANDOM,
    "random.SystemRandom().random()": RANDOM,
    "os.urandom(8)": RANDOM,
    "secrets.token_hex()": RANDOM,
    "uuid.uuid4()": RANDOM,
    "np.random.default_rng()": RANDOM,
}

HONEST = {
    "a module that is new": "import colorsys, wave",
    "numpy and scipy": "import numpy.linalg, scipy.sparse.linalg; np.ones((9, 9)) @ np.ones((9, 9))",
    "the core and a judge": "from lycosa.core import words; from lycosa.judge.cosine import Cosine; Cosine.of('wolf')",
    "a learner": "from sklearn.linear_model import LogisticRegression as L; L().fit([[0], [1]], [0, 1])",
    "a warning": "warnings.warn('odd', stacklevel=1)",
    "a line in the log": "logging.getLogger('x').warning('odd')",
    "a word on the screen": "print('thinking')",
    "a traceback of its own": "\n        try:\n            1 / 0\n        except ZeroDivisionError:\n"
    "            traceback.format_exc()",
    "the place of its own file": "pathlib.Path(__file__).resolve().parent",
    "no room that knows too much": "assert not [*filter(lycosa_rooms, sys.modules)] and not hasattr(lycosa, 'lab')",
    "no loop with a clock": "\n        try:\n            asyncio.get_running_loop()\n        except RuntimeError:\n"
    "            return\n        raise AssertionError",
    "an error of its own": "\n        try:\n            {}['x']\n        except KeyError:\n            pass",
    "dice with a seed": "random.Random(7).random(); np.random.default_rng(7).random()",
    "words and sites": "terms('hunting spiders'); site_of('www.example.org')",
    "a date of its own": "assert isinstance(moment(2004, 1, 1), datetime.date); moment.fromtimestamp(0)",
}

PLACES = {
    "Made": "def __init__(self):\n        time.time()",
    "Beginning": "def begin(self, brief):\n        time.time()\n        return super().begin(brief)",
    "Lazy": "def begin(self, brief):\n        yield from super().begin(brief)\n        time.time()",
    "Sensing": "@staticmethod\n    def sense(page, topic):\n        time.time()",
    "Missing": "def miss(self, miss):\n        time.time()\n        return ()",
    "Choosing": "def choose(self, lanes):\n        time.time()\n        return next(iter(lanes))",
    "Explaining": "def explain(self, ticket):\n        time.time()\n        return {}",
    "Nested": "def look(self):\n        self.explain(0)\n        time.time()\n    def explain(self, it): return {}",
    "Roomy": "@property\n    def capacity(self):\n        time.time()",
    "Batched": "@property\n    def batch(self):\n        time.time()\n        return 1",
    "Merging": "@property\n    def merge(self):\n        time.time()\n        return 'max'",
    "Anew": "def __new__(cls):\n        time.time()\n        return super().__new__(cls)",
    "Hashing": "def begin(self, brief):\n        return [Ticket(Late(url)) for url in brief.seeds]",
    "Swallowing": "def look(self):\n        try: time.time()\n        except BaseException: pass",
}


@pytest.fixture(scope="module")
def hunt(tmp_path_factory):
    """Crawl with a class of the module above, in a worker that serves all tests."""
    folder = tmp_path_factory.mktemp("strategies")
    source = HEAD
    for number, body in enumerate([*CHEATS, *HONEST.values()]):
        source += f"\nclass Look{number}(Sure):\n    def look(self):\n        {body}\n"
    for name, body in PLACES.items():
        source += f"\nclass {name}(Sure):\n    look = terms = lambda self: None\n    {body}\n"
    source += "\nclass Classy(Sure, metaclass=Early): pass\n"
    (folder / "sure.py").write_text(source)
    (folder / "early.py").write_text(
        "from lycosa import Strategy\nT = open('/etc/hostname').read()\nclass Early(Strategy): ...\n"
    )
    (folder / "helped.py").write_text("from lycosa import Strategy\nimport helper\nclass Helped(Strategy): ...\n")
    (folder / "hushed.py").write_text(
        "from lycosa import Strategy\ntry: open('/etc/hostname')\nexcept BaseException: pass\n"
        "class Hushed(Strategy): ...\n"
    )
    (folder / "helper.py").write_text("import time\nTIME = time.time()\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.syspath_prepend(folder)
        world = open_world(MADE)
        assert len(world.corpus)
        topic = world.topics[0]
        with pool(1, open_in_worker, (MADE,)) as workers:
            yield lambda name: workers.submit(
                crawl, Trial(name.replace(":", "."), name, {}, topic.keywords, topic.examples, 60)
            ).result()


@pytest.mark.parametrize("body", CHEATS)
def test_a_cheat_is_stopped_and_named(hunt, body):
    name = f"sure:Look{list(CHEATS).index(body)}"
    told = hunt(name)
    assert told.problem.startswith(f"strategy {name.replace(':', '.')} tried to ")
    assert CHEATS[body] in told.problem
    assert "\n" not in told.problem


@pytest.mark.parametrize("what", HONEST)
def test_honest_work_is_left_alone(hunt, what):
    track = hunt(f"sure:Look{len(CHEATS) + list(HONEST).index(what)}")
    assert isinstance(track, Track), track
    assert len(track.pages) == 60


@pytest.mark.parametrize("place", [*PLACES, "Classy"])
def test_every_corner_of_a_strategy_is_inside_the_fence(hunt, place):
    assert "look at the clock (time.time)" in hunt(f"sure:{place}").problem


def test_a_world_to_crawl_in_has_no_topics():
    world = TopiclessWorld(MADE)
    for ask in (lambda: world.topics, lambda: world.topic("t0")):
        with pytest.raises(LookupError, match="no topics"):
            ask()


def test_importing_a_strategy_is_inside_the_fence_too(hunt):
    assert "early.Early tried to use files (/etc/hostname)" in hunt("early:Early").problem
    assert "helped.Helped tried to look at the clock" in hunt("helped:Helped").problem
    assert "hushed.Hushed tried to use files" in hunt("hushed:Hushed").problem
    assert isinstance(hunt("best-first"), Track)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="looks through its own memory as Linux shows it")
def test_descriptions_are_never_in_the_memory_of_a_crawl(tmp_path):
    made = make_bed(Made(200, 2, 3), tmp_path / "bed")
    secret = "xylophagous-zyzzyva"
    told = [msgspec.structs.replace(topic, description=f"{secret} of {topic.id}") for topic in made.topics]
    (tmp_path / "bed" / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in told))
    job = Trial("best-first", "best-first", {}, told[0].keywords, told[0].examples, 50)
    script = SEARCH.format(bed=str(tmp_path / "bed"), job=msgspec.json.encode(job))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["50", "False", "True"]


SEARCH = r"""
import msgspec, re
from lycosa.lab.trial import Trial, run_trial
from lycosa.lab.world import open_world

def is_there():
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for start, end, name in re.findall(r"(\w+)-(\w+) r\S* \S+ \S+ \S+ *(.*)", maps.read()):
            if not name.startswith("[v"):
                memory.seek(int(start, 16))
                # Backwards, so that what is looked for is not found in this very script.
                found += memory.read(int(end, 16) - int(start, 16))[::-1].count(b"avyzzyz-suogahpolyx")
    return found > 0

world = open_world({bed!r})
track = run_trial(world, msgspec.json.decode({job!r}, type=Trial))
print(len(track.pages), is_there())
assert world.topics  # now that they were read, they are found
print(is_there())
"""


def test_a_strategy_among_the_libraries_is_watched_as_well(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    place = tmp_path / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    (place / "packaged").mkdir(parents=True)
    monkeypatch.syspath_prepend(place)
    files = {
        "packaged/__init__": "",
        "packaged/early": "from lycosa import Strategy\nimport packaged.clock\nclass Early(Strategy): ...\n",
        "packaged/clock": "import time\nNOW = time.time()\n",
        "packaged/helper": "import time\ndef now(): return time.time()\n",
        "packaged/late": "from packaged.helper import now\nfrom based import Based\nclass Late(Based):\n"
        "    def learn(self, visit):\n        now()\nclass Poor(Based): ...\n",
        "based": "import time\nfrom lycosa import Strategy\nclass Based(Strategy):\n"
        "    def learn(self, visit):\n        time.time()\n",
    }
    for name, text in files.items():
        (place / f"{name}.py").write_text(text)
    topic = open_world(MADE).topics[0]
    with pool(1, open_in_worker, (MADE,)) as workers:
        for name in ("packaged.early:Early", "packaged.late:Late", "packaged.late:Poor"):
            told = workers.submit(crawl, Trial(name, name, {}, topic.keywords, topic.examples, 60)).result()
            assert told.problem == f"strategy {name} tried to look at the clock (time.time)"


def test_one_who_cheats_spoils_nothing_for_the_next(hunt):
    hunt("sure:Look0")
    assert isinstance(hunt("best-first"), Track)
