"""The text of pages: sentences about a theme among sentences about anything, in a mix that differs per page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lycosa.web.made.shape import RandomFloats
from lycosa.web.made.vocabulary import ABOUT, ANYWHERE, GENERAL, Theme

_about = [(form, form.count("%s")) for form in ABOUT]
_anywhere = [(form, form.count("%s")) for form in ANYWHERE]


@lru_cache(512)
def phrases(theme: Theme, strength: int) -> tuple[str, ...]:
    """The phrases that fill the slots of sentences; more strength means more of the theme's keywords (0: none)."""
    things, traits = theme.things, theme.traits
    if not strength:
        return (*things[::2], *theme.family, *GENERAL[:30])
    plain = [*things, *(f"{trait} {thing}" for trait, thing in zip(traits * 3, things[::-1], strict=False))]
    named = [theme.name, *theme.keywords, f"{traits[0]} {theme.keywords[-1]}", f"{theme.keywords[-1]} {things[0]}"]
    return (*plain, *theme.family, *named * strength, *GENERAL[: 24 // strength])


@lru_cache(4096)
def title(theme: Theme, hashed: int) -> str:
    """A title for a page about a theme."""
    things, traits = theme.things, theme.traits
    first, second = things[hashed % len(things)], things[(hashed >> 8) % len(things)]
    forms = (
        f"{traits[(hashed >> 16) % len(traits)]} {first}",
        f"{first} and {second}",
        f"choosing the right {first}",
        f"{theme.keywords[-1]}: the {first}",
        f"{first}, {second} and more",
    )
    text = forms[(hashed >> 24) % len(forms)]
    return text[0].upper() + text[1:]


def sentence(random: RandomFloats, pool: Sequence[str]) -> str:
    """One sentence about a theme."""
    form, slots = _about[int(random() * len(_about))]
    many = len(pool)
    return form % tuple([pool[int(random() * many)] for _ in range(slots)])


def prose(random: RandomFloats, pool: Sequence[str], count: int, share: float) -> list[str]:
    """Sentences, a share of which is about the theme whose phrases are given."""
    about, anywhere, many, general = len(_about), len(_anywhere), len(pool), len(GENERAL)
    sentences = []
    for _ in range(count):
        if random() < share:
            form, slots = _about[int(random() * about)]
            sentences.append(form % tuple([pool[int(random() * many)] for _ in range(slots)]))
        else:
            form, slots = _anywhere[int(random() * anywhere)]
            sentences.append(form % tuple([GENERAL[int(random() * general)] for _ in range(slots)]))
    return sentences
