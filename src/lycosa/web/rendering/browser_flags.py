"""With which switches the browser is started: no traffic of its own, no way out, nothing that a text needs not."""

from __future__ import annotations

_QUIET = (
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-notifications",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
)
_LIGHT = (
    "--block-new-web-contents",
    "--blink-settings=imagesEnabled=false",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--mute-audio",
)
_SHUT = (
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # Without this, requests to this machine itself would not go to the proxy.
    "--proxy-bypass-list=<-loopback>",
)


def browser_flags(dead_port: int, heap: int) -> list[str]:
    """The switches of a browser whose proxy is a port that never answers, with so many megabytes for scripts' data."""
    return [
        *_QUIET,
        *_LIGHT,
        *_SHUT,
        f"--proxy-server=http://127.0.0.1:{dead_port}",
        f"--js-flags=--max-old-space-size={heap}",
    ]
