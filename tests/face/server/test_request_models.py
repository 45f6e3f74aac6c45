"""Requests as JSON: what other machines may set, what they may not, and what the schema says of it."""

from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import options_of, remote_options
from lycosa.face.server.request_models import FromFields
from lycosa.system.errors import Refused

REQUEST = TypeAdapter(Annotated[HuntRequest, FromFields()])
GOOD = {"keywords": "wolf spiders", "seeds": ["http://spiders.test/"]}
LOCAL = [field.name for field in options_of(HuntRequest) if field.option.local]


def test_fields_become_a_request():
    request = REQUEST.validate_python({**GOOD, "pages": 20, "settings": {"alpha": 0.5}})
    assert request == HuntRequest("wolf spiders", ["http://spiders.test/"], pages=20, settings={"alpha": 0.5})


@pytest.mark.parametrize("name", [*LOCAL, "nonsense"])
def test_a_remote_request_cannot_set_a_local_option(name):
    with pytest.raises(ValidationError) as wrong:
        REQUEST.validate_python({**GOOD, name: None})
    (problem,) = wrong.value.errors()
    assert problem["type"] == "unknown_name" and repr(name) in problem["msg"]


def test_bounds_are_checked_by_the_request():
    with pytest.raises(Refused) as refused:
        REQUEST.validate_python({**GOOD, "delay": -1})
    assert refused.value.field == "delay"


def test_the_schema_describes_what_may_be_set_and_nothing_else():
    shown = REQUEST.json_schema()["properties"]
    assert list(shown) == [field.name for field in remote_options(HuntRequest)]
    assert (shown["until"]["exclusiveMinimum"], shown["until"]["exclusiveMaximum"]) == (0, 1)
    assert shown["seeds"]["maxItems"] == 1000 and shown["pages"]["default"] == 500
