"""Reads the document of a page in the browser, from a world of scripts into which those of the page cannot reach."""

from __future__ import annotations

import json
from typing import Any

from playwright.async_api import CDPSession, Page

# How much there is: characters of text, links, elements. Two equal answers mean that nothing happens any more.
_MEASURE = """(() => {
  let text = 0;
  const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const name = walk.currentNode.parentNode?.localName;
    if (!["script", "style", "noscript", "title"].includes(name)) text += walk.currentNode.data.trim().length;
  }
  return [text, document.links.length, document.getElementsByTagName("*").length];
})()"""

# The document as HTML. What is in shadow roots is put where it is seen, and what only browsers without scripts show is
# left out. It is copied into a document that runs nothing, so that the copy changes nothing.
_HTML = """((limit, goal) => {
  const inert = document.implementation.createHTMLDocument("");
  const copy = (node) => {
    const made = inert.importNode(node, false);
    const children = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
    for (const child of children) if (child.localName !== "noscript") made.append(copy(child));
    return made;
  };
  const root = copy(document.documentElement);
  if (goal) {
    const meta = inert.createElement("meta");
    meta.httpEquiv = "refresh";
    meta.content = "0;url=" + goal;
    (root.querySelector("head") ?? root).append(meta);
  }
  return ("<!DOCTYPE html>\\n" + root.outerHTML).slice(0, limit);
})"""


class DocumentReader:
    """A view of a page's document."""

    def __init__(self, session: CDPSession, world: int) -> None:
        self._session = session
        self._world = world

    @classmethod
    async def of(cls, page: Page) -> DocumentReader:
        """A reader of the document that a page has now."""
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "reader"})
        return cls(session, world["executionContextId"])

    async def measure(self) -> tuple[int, ...]:
        """How much there is."""
        found = await self._value(_MEASURE)
        return tuple(found) if isinstance(found, list) else ()

    async def html(self, limit: int, goal: str | None) -> str | None:
        """The document, with at most so many characters; `goal` is where its scripts wanted to go."""
        found = await self._value(f"{_HTML}({limit}, {json.dumps(goal)})")
        return found if isinstance(found, str) else None

    async def _value(self, expression: str) -> Any:
        told = await self._session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": self._world, "returnByValue": True, "timeout": 5000},
        )
        return told.get("result", {}).get("value")
