"""Requests: what people and programs can ask for, each declared once as a struct.

A field of a request has a name, a type, a default and an `Option` with its help, group and bounds. The command line,
the REST interface, the tools for agents, the Python functions, the form, lycosa.toml and the reference page of the
documentation all follow from these declarations. This package must not know how any face looks.
"""

from lycosa.app.requests.community import CommunityRequest, RefreshRequest
from lycosa.app.requests.experiment import ExperimentRequest, StudyRequest
from lycosa.app.requests.hunt import HuntRequest, ResumeRequest
from lycosa.app.requests.option import Request
from lycosa.app.requests.rounds import RoundsRequest
from lycosa.app.requests.scope import ScopeTestRequest
from lycosa.app.requests.search import CompleteRequest, ExportRequest, PagesRequest, SearchRequest
from lycosa.app.requests.seeds import FindRequest, SeedsRequest

REQUESTS: dict[str, type[Request]] = {
    "hunt": HuntRequest,
    "resume": ResumeRequest,
    "scope": ScopeTestRequest,
    "rounds": RoundsRequest,
    "search": SearchRequest,
    "complete": CompleteRequest,
    "pages": PagesRequest,
    "export": ExportRequest,
    "seeds": SeedsRequest,
    "find": FindRequest,
    "community": CommunityRequest,
    "refresh": RefreshRequest,
    "experiment": ExperimentRequest,
    "study": StudyRequest,
}
"""All requests by name."""
