"""How well misspelt questions are answered, and whether correct ones are harmed, on the schools bed.

known items     titles that only one page has, and that page; half of them, by a hash, were used for tuning, the others
                are measured (--tuning measures the first half)
typed           one word of four letters or more in each title gets a slip, longer ones sometimes two: two letters are
                swapped (25 %), one is left out (25 %), doubled or not (15 %), replaced by another vowel (10 %) or by a
                key beside (15 %), or a key beside is added (10 %); one slip in twelve may touch the first letter
common          words that people really misspell (COMMON), in every title that has them
correct         the titles as they are

For each, the mean of 1 / place of the page among ten results: searched as typed (verbatim), and
with spelling corrected.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lycosa.core.keys import key64
from lycosa.index.index import Index
from lycosa.index.search_types import Question
from lycosa.lab.world import open_world
from search_quality import SCHOOLS, build, items, reciprocal

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
VOWELS = "aeiou"
COMMON = """
acheive:achieve accross:across adress:address agression:aggression alchohol:alcohol aluminium:aluminum amature:amateur
anchient:ancient antartica:antarctica antartic:antarctic appartheid:apartheid archaelogy:archaeology
archetecture:architecture artic:arctic assasination:assassination asteriod:asteroid atheltics:athletics
atlantc:atlantic austrailia:australia austrlia:australia azerbajan:azerbaijan babylonan:babylonian
bangledesh:bangladesh barbedos:barbados basball:baseball batle:battle beatiful:beautiful begining:beginning
beleive:believe beligum:belgium bizzare:bizarre brasil:brazil brittish:british britian:britain bhuddism:buddhism
budism:buddhism buisness:business calender:calendar califronia:california camoflage:camouflage carribean:caribbean
caribean:caribbean catagory:category cathederal:cathedral catholocism:catholicism cemetary:cemetery
chemestry:chemistry chineese:chinese christianty:christianity colum:column columbia:colombia comittee:committee
comunism:communism conciousness:consciousness concurency:concurrency constituion:constitution continant:continent
crocadile:crocodile cristmas:christmas dalmation:dalmatian demoracy:democracy desease:disease diamand:diamond
dinasaur:dinosaur dinosaour:dinosaur diptheria:diphtheria dolfin:dolphin earthqake:earthquake ecconomy:economy
ecomony:economy ecology:ecology eclispe:eclipse egpyt:egypt eygpt:egypt elefant:elephant elecricity:electricity
elizabth:elizabeth embarass:embarrass emporer:emperor enviroment:environment equador:ecuador ethopia:ethiopia
europen:european evoluton:evolution exibition:exhibition febuary:february finlend:finland flourescent:fluorescent
fourty:forty foriegn:foreign galexy:galaxy garantee:guarantee geogrpahy:geography geomtry:geometry germeny:germany
ghandi:gandhi giraff:giraffe goverment:government govenment:government grammer:grammar gravety:gravity
guerilla:guerrilla guiness:guinness haemorrage:haemorrhage hawai:hawaii hieroglifics:hieroglyphics himilayas:himalayas
hinduisim:hinduism histroy:history hospitle:hospital hurrican:hurricane hygeine:hygiene hydrogin:hydrogen
icland:iceland immediatly:immediately independance:independence indonisia:indonesia infuenza:influenza
intelligance:intelligence internatonal:international irland:ireland isreal:israel itally:italy jeruselem:jerusalem
jewlery:jewellery judiasm:judaism jupitor:jupiter kangeroo:kangaroo kenedy:kennedy kindom:kingdom kyrgistan:kyrgyzstan
langauge:language launguage:language lazer:laser leutenant:lieutenant liason:liaison libary:library
litrature:literature lithunia:lithuania luxemburg:luxembourg madagasgar:madagascar magnatism:magnetism
malasia:malaysia marjorca:majorca massachusets:massachusetts massachussetts:massachusetts mathmatics:mathematics
mathamatics:mathematics medcine:medicine mediteranean:mediterranean mediterrannean:mediterranean merchent:merchant
mesapotamia:mesopotamia meterology:meteorology mexcio:mexico micheal:michael milennium:millennium millenium:millennium
minature:miniature minneral:mineral missisippi:mississippi mississipi:mississippi missle:missile molecuel:molecule
monestary:monastery morroco:morocco mosquitoe:mosquito mozaic:mosaic musuem:museum mussolinni:mussolini
napolean:napoleon neccessary:necessary netherland:netherlands neice:niece newtron:neutron nitrogin:nitrogen
nothern:northern nuculear:nuclear occassion:occasion occured:occurred ocurrence:occurrence octapus:octopus
olymics:olympics olimpics:olympics orchastra:orchestra orginal:original oxigen:oxygen pacfic:pacific
pakistain:pakistan palistine:palestine parliment:parliament penecillin:penicillin pengiun:penguin peopel:people
pharoah:pharaoh pharoh:pharaoh phillipines:philippines philipines:philippines philosphy:philosophy phisics:physics
fysics:physics pidgeon:pigeon pittsburg:pittsburgh planit:planet platnum:platinum politican:politician
portugese:portuguese portugul:portugal posession:possession potatoe:potato presidant:president privelege:privilege
psycology:psychology pyramyd:pyramid pythagorus:pythagoras reccomend:recommend recieve:receive reccession:recession
refridgerator:refrigerator religon:religion renaisance:renaissance renaissence:renaissance republc:republic
resturant:restaurant reveloution:revolution revoluton:revolution rocklet:rocket rhythem:rhythm rythm:rhythm
sacrafice:sacrifice sattelite:satellite satelite:satellite saxaphone:saxophone scandanavia:scandinavia sceince:science
sciense:science seige:siege seperation:separation shakespear:shakespeare shakespere:shakespeare siezure:seizure
singapor:singapore sissors:scissors slovinia:slovenia socialim:socialism solider:soldier soverign:sovereign
soviat:soviet spagetti:spaghetti spainish:spanish speach:speech squirell:squirrel stratagy:strategy
submarrine:submarine sucess:success suger:sugar sulfer:sulfur supercede:supersede surgry:surgery swedan:sweden
swizerland:switzerland switserland:switzerland sydeny:sydney symphany:symphony tajikstan:tajikistan tasmaina:tasmania
temperture:temperature tenis:tennis terrorisim:terrorism tobbaco:tobacco tommorow:tomorrow tounge:tongue
tornadoe:tornado tradgedy:tragedy tresaure:treasure tsunmai:tsunami turky:turkey tyranosaurus:tyrannosaurus
ukrane:ukraine unifrom:uniform univercity:university universty:university untied:united vaccum:vacuum vacine:vaccine
vegatable:vegetable vehical:vehicle venezula:venezuela veitnam:vietnam vietnm:vietnam volcanoe:volcano
volcanos:volcanoes vulcano:volcano washinton:washington wether:weather wensday:wednesday wheather:weather
whisky:whiskey wierd:weird wimbeldon:wimbledon yatch:yacht zimbabwae:zimbabwe zoolgy:zoology
"""
"""As people type them, and as they are spelt."""
Asked = list[tuple[str, set[str]]]


def slipped(word: str, dice: random.Random) -> str:
    """A word with a slip."""
    low = 0 if dice.random() < 1 / 12 else 1
    at = dice.randrange(low, len(word))
    letter, kind = word[at], dice.random()
    row = next((row for row in ROWS if letter in row), letter)
    place = row.index(letter)
    beside = dice.choice([row[near] for near in (place - 1, place + 1) if 0 <= near < len(row)] or [letter])
    if kind < 0.25:
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind < 0.5:
        return word[:at] + word[at + 1 :]
    if kind < 0.65:
        double = re.search(r"(.)\1", word)
        return word[: double.start()] + word[double.start() + 1 :] if double else word[:at] + letter + word[at:]
    if kind < 0.75 and (vowels := [spot for spot, each in enumerate(word) if each in VOWELS and spot >= low]):
        at = dice.choice(vowels)
        return word[:at] + dice.choice(VOWELS.replace(word[at], "")) + word[at + 1 :]
    return word[:at] + beside + word[at + (kind < 0.9) :]


def misspelt(title: str, dice: random.Random) -> str:
    """A title with a slip in one of its words; without such a word, the title."""
    words = re.findall(r"[a-z]{4,}", title.lower())
    if not words:
        return title
    word = dice.choice(words)
    wrong = word
    for _ in range(2 if len(word) >= 8 and dice.random() < 0.25 else 1):
        wrong = slipped(wrong, dice)
    return re.sub(rf"\b{word}\b", wrong, title.lower(), count=1)


def common(known: Asked) -> Asked:
    """Every title with a word that people misspell, misspelt so."""
    pairs = [pair.split(":") for pair in COMMON.split()]
    found: Asked = []
    for wrong, right in pairs:
        for title, pages in known:
            if re.search(rf"\b{right}\b", title.lower()):
                found.append((re.sub(rf"\b{right}\b", wrong, title.lower()), pages))
    return found


def measure(index: Index, asked: Asked) -> tuple[float, float, float, float, float]:
    """The mean of 1 / place as typed and corrected, the shares corrected and offered, and the 99th percentile in ms."""
    figures: list[tuple[float, float, float, float, float]] = []
    for text, right in asked:
        plain = index.search(Question(text, verbatim=True))
        began = time.perf_counter()
        found = index.search(Question(text))
        took = 1e3 * (time.perf_counter() - began)
        places = [
            [next(iter({hit.url, *hit.twins} & right), hit.url) for hit in answer.hits] for answer in (plain, found)
        ]
        as_typed, corrected = (reciprocal(urls, right) for urls in places)
        figures.append((as_typed, corrected, bool(found.corrected), bool(found.suggestion), took))
    columns = np.array(figures).T
    means = columns.mean(axis=1).tolist()
    return means[0], means[1], means[2], means[3], float(np.percentile(columns[4], 99))


def report(index: Index, named: dict[str, Asked], show: Sequence[str]) -> None:
    """The figures as Markdown, and the questions that remain unanswered."""
    print("| questions | number | 1 / place as typed | corrected | corrected without asking | offered | p99 ms |")
    print("|---|---|---|---|---|---|---|")
    for name, asked in named.items():
        as_typed, corrected, sure, offered, late = measure(index, asked)
        print(f"| {name} | {len(asked)} | {as_typed:.3f} | {corrected:.3f} | {sure:.3f} | {offered:.3f} | {late:.1f} |")
    for name in show:
        for text, right in named[name]:
            answer = index.search(Question(text))
            if not any({hit.url, *hit.twins} & right for hit in answer.hits[:3]):
                print(f"{name}: {text!r} -> {answer.corrected!r} {answer.suggestion!r}")


def main() -> None:
    """Measure, and say it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuning", action="store_true", help="measure the half that was used for tuning")
    parser.add_argument("--index", type=Path, help="an index of the bed that was made before")
    parser.add_argument("--show", nargs="*", default=[], help="list the unanswered questions of these rows")
    options = parser.parse_args()
    world = open_world(str(SCHOOLS))
    with tempfile.TemporaryDirectory() as folder:
        place = options.index or Path(folder)
        if not options.index:
            build(world, place).close()
        every = items(world, 10_000)
        known = [item for item in every if (key64(item[0]) % 2 == 0) == options.tuning]
        dice = random.Random(17 if options.tuning else 18)
        typed = [(misspelt(title, dice), pages) for title, pages in dice.sample(known, 400)]
        with Index.open(place) as index:
            report(index, {"typed": typed, "common": common(known), "correct": dice.sample(known, 400)}, options.show)


if __name__ == "__main__":
    main()
