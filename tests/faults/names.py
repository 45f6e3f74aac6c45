"""A name server on 127.0.0.1:53, for rows that run alone (see `alone.py`): what it answers is written down.

    with Names({"a.test": ["127.0.0.1"], "gone.test": "NXDOMAIN", "broken.test": "SERVFAIL"}) as names: ...

A value may be a function of the name that gives such an answer, so that it can change, be slow or count; «CNAME
b.test» leads to the answer of another name. A name that is not listed does not exist; «*» stands for every name.
"""

import socket
import threading
from collections import Counter
from ipaddress import ip_address

from dnslib import AAAA, CNAME, QTYPE, RCODE, RR, A
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSServer

MOST = 50
"""Addresses in a datagram; who wants more has to ask over TCP."""


class Names(BaseResolver):
    """Answers A and AAAA queries; `asked` counts them by name."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = Counter()
        self._lock = threading.Lock()

    def __enter__(self):
        logger = DNSLogger(logf=lambda text: None)
        where = {"address": "127.0.0.1", "port": 53, "logger": logger, "handler": Handler}
        self._servers = [DNSServer(self, tcp=tcp, **where) for tcp in (False, True)]
        for server in self._servers:
            server.start_thread()
        return self

    def __exit__(self, *error):
        for server in self._servers:
            server.stop()
            server.server.server_close()

    def resolve(self, request, handler):
        name = str(request.q.qname).rstrip(".").lower()
        with self._lock:
            self.asked[name] += 1
        owner, answer, reply = request.q.qname, self._answer(name), request.reply()
        while isinstance(answer, str) and answer.startswith("CNAME "):
            alias = answer.removeprefix("CNAME ")
            reply.add_answer(RR(owner, QTYPE.CNAME, rdata=CNAME(alias), ttl=0))
            owner, answer = alias, self._answer(alias)
        if isinstance(answer, str):
            reply.header.rcode = getattr(RCODE, answer)
            return reply
        if handler.protocol == "udp" and len(answer) > MOST:
            reply.header.tc = 1
            return reply
        for address in answer:
            kind = "AAAA" if ip_address(address).version == 6 else "A"
            if request.q.qtype == getattr(QTYPE, kind):
                data = AAAA(address) if kind == "AAAA" else A(address)
                reply.add_answer(RR(owner, request.q.qtype, rdata=data, ttl=0))
        return reply

    def _answer(self, name):
        answer = self.answers.get(name, self.answers.get("*", "NXDOMAIN"))
        return answer(name) if callable(answer) else answer


class Handler(DNSHandler):
    """Answers as many questions as come over one TCP connection: the system asks for A and AAAA together."""

    def handle(self):
        if self.server.socket_type != socket.SOCK_STREAM:
            super().handle()
            return
        self.protocol = "tcp"
        with self.request.makefile("rb") as questions:
            while len(length := questions.read(2)) == 2:
                answer = self.get_reply(questions.read(int.from_bytes(length)))
                self.request.sendall(len(answer).to_bytes(2) + answer)
