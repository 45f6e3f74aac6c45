"""When a judge who reads is asked, and about which pages."""

from lycosa.engine.questions import Questions

DOUBTS = [f"http://a.test/doubt/{number}" for number in range(9)]
BEST = [f"http://a.test/best/{number}" for number in range(9)]


def moments(questions, pages):
    """After how many pages each question is asked."""
    asked: list[int] = []
    for page in range(1, pages + 1):
        if questions.due(len(asked), page):
            asked.append(page)
    return asked


def test_a_crawl_from_examples_is_asked_early():
    assert moments(Questions(3, 1000, True), 1000) == [10, 15, 20]


def test_a_crawl_from_keywords_is_asked_when_it_may_have_come_near_its_topic():
    assert moments(Questions(3, 1000, False), 1000) == [20, 40, 60]


def test_all_questions_are_asked_before_the_last_quarter_of_a_crawl():
    for examples in (True, False):
        for calls, pages in ((50, 200), (5, 30)):
            assert Questions(calls, pages, examples).due(calls - 1, 3 * pages // 4)


def test_without_a_page_limit_questions_keep_their_pace():
    assert moments(Questions(2, None, False), 100) == [20, 40]


def test_until_a_page_is_known_to_be_relevant_the_best_pages_are_asked_about():
    questions = Questions(9, 1000, False)
    assert questions.choose(0, DOUBTS, BEST, (), False) == BEST[0]
    assert questions.choose(1, DOUBTS, BEST, BEST[:1], False) == BEST[1]
    assert questions.choose(2, DOUBTS, BEST, BEST[:2], True) == DOUBTS[0]


def test_some_questions_are_about_the_best_pages_even_then():
    about = [Questions(9, 1000, True).choose(asked, DOUBTS, BEST, (), True) for asked in range(8)]
    assert about == [DOUBTS[0]] * 3 + [BEST[0]] + [DOUBTS[0]] * 3 + [BEST[0]]


def test_a_page_of_a_kind_that_was_asked_about_least_comes_first():
    questions = Questions(9, 1000, True)
    questions.asked_about(DOUBTS[0])
    assert questions.choose(1, [*DOUBTS[1:], "http://a.test/other/1"], BEST, (), True) == "http://a.test/other/1"
