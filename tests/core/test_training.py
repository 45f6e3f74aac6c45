"""Pages to learn from."""

from lycosa.core.nouns import Topic
from lycosa.core.priors import PageReading, Priors, ReadPages
from lycosa.core.taxonomy import Category, Taxonomy
from lycosa.core.training import training, wanted

GOOD, OTHER, OWN = "http://good.test/", "http://other.test/", "http://own.test/"
TAXONOMY = Taxonomy((Category("Top"), Category("Top/A", (GOOD,), good=True), Category("Top/B", (OTHER, OWN))))
TOPIC = Topic("wolf", examples=(OWN,))
TEXTS = {GOOD: PageReading("wolf"), OTHER: PageReading("moth"), OWN: PageReading("spider")}


def test_a_page_that_the_topic_calls_its_own_is_not_learned_from_as_another():
    priors = Priors(readings=dict(TEXTS), taxonomy=TAXONOMY)
    found = training("linear", TOPIC, priors)
    assert [set(bag) for bag in found.relevant] == [{"spider"}, {"wolf"}]
    assert [set(bag) for bag in found.others] == [{"moth"}]
    assert set(wanted("linear", TOPIC, priors)) == {ReadPages(GOOD), ReadPages(OTHER), ReadPages(OWN)}
