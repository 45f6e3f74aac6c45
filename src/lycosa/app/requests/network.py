"""Options that several requests share: how hosts are contacted, and where seeds are searched for."""

from __future__ import annotations

from lycosa.app.requests.option import Option
from lycosa.web.proxies import VARIABLE as PROXY_VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

POLITENESS, NETWORK = "Politeness", "Network"
PROXY = Option(
    "HTTP proxy for all requests; if it needs a password, set it in the environment.",
    NETWORK,
    secret=True,
    variable=PROXY_VARIABLE,
    local=True,
)
CA = Option(
    "PEM file of certificate authorities to trust in addition to the system's.",
    NETWORK,
    variable=CA_VARIABLE,
    local=True,
)
ACCESS = Option(
    "How to enter a host, as HOST:KEY=VALUE; secrets as env:NAME or file:PATH.",
    NETWORK,
    secret=True,
    local=True,
)
ALLOW = Option("Private host, address or network that may be fetched from.", NETWORK, local=True)
RESOLVE = Option("Address for a host name, as HOST=ADDRESS:PORT; the host * means every name.", NETWORK, local=True)
FIND = Option(
    "Source of seeds to search: a name, or KIND:option=value, such as searxng:url=https://search.example.org.",
    max_length=64,
)
FINDERS = Option("Name for a source of seeds, as NAME=SOURCE.", local=True, each="finder")
FIND_QUERIES = Option(
    "Maximum queries to each source; those after the first are refined by what the first pages say.",
    low=1,
    high=10,
    unit="queries",
)
CONTACT = Option("URL or e-mail address for webmasters; sent as part of the user agent.", POLITENESS, local=True)
