"""The family record of agents: bounded, and whole after a checkpoint."""

from lycosa.strategy.family import Family


def test_the_dead_are_forgotten_in_the_order_of_their_deaths():
    family = Family()
    for number in range(1, 2103):
        family.birth(number, number - 1 or None, f"http://a.test/{number}")
    for number in range(2102, 1, -1):
        family.death(number, "http://a.test/end", "no energy", -0.1, {"wolf": 0.5})
    assert len(family.dead) == 2000
    told = family.portrait({1: (0.5, {"wolf": 0.25})})
    assert [kin["number"] for kin in told] == [1, *range(2, 2002)]
    assert (told[0]["energy"], told[0]["keywords"]) == (0.5, {"wolf": 0.25})
    assert (told[1]["parent"], told[1]["keywords"]) == (1, {"wolf": 0.5})


def test_only_so_many_gifts_are_remembered():
    family = Family()
    family.birth(1, None, "http://a.test/")
    for number in range(1200):
        family.gift(1, f"http://a.test/{number}")
    assert len(family.living[1].given) == 1000


def test_order_survives_saving():
    family = Family()
    for number in (1, 2, 3):
        family.birth(number, None, "")
    family.death(2, "http://a.test/", "no energy", 0.0, {})
    family.death(1, "http://a.test/", "nothing to follow", 1.0, {})
    again = Family(family.save())
    assert list(again.dead) == [2, 1]
    assert list(again.living) == [3]
    assert again.save() == family.save()
