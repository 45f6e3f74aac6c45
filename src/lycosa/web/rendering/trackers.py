"""Hosts that only count visitors or show advertisements: scripts do not get to ask them."""

from __future__ import annotations

from lycosa.core.urls import host_of, site_of

_NAMES = """
google-analytics.com googletagmanager.com googletagservices.com googlesyndication.com googleadservices.com
doubleclick.net adservice.google.com 2mdn.net facebook.net connect.facebook.net hotjar.com hotjar.io clarity.ms
bat.bing.com segment.com segment.io mixpanel.com amplitude.com fullstory.com heap.io heapanalytics.com
newrelic.com nr-data.net sentry.io bugsnag.com datadoghq-browser-agent.com scorecardresearch.com quantserve.com
quantcast.com chartbeat.com chartbeat.net parsely.com matomo.cloud plausible.io statcounter.com histats.com
mc.yandex.ru criteo.com criteo.net taboola.com outbrain.com amazon-adsystem.com adnxs.com adsrvr.org
rubiconproject.com pubmatic.com openx.net casalemedia.com moatads.com adroll.com bluekai.com demdex.net
omtrdc.net everesttech.net krxd.net mathtag.com rlcdn.com crazyegg.com mouseflow.com luckyorange.com
optimizely.com intercom.io intercomcdn.com drift.com driftt.com tawk.to zdassets.com hs-analytics.net
hs-scripts.com hsforms.com hubspot.com pardot.com marketo.net munchkin.marketo.net cookiebot.com onetrust.com
cookielaw.org usercentrics.eu addthis.com sharethis.com disqus.com disquscdn.com recaptcha.net
cloudflareinsights.com licdn.com px.ads.linkedin.com snap.licdn.com analytics.tiktok.com
static.ads-twitter.com analytics.twitter.com
"""
_TRACKERS = frozenset(_NAMES.split())


def is_tracker(url: str, page: str) -> bool:
    """Whether a canonical URL that a page asks for is at another site that only watches or advertises."""
    host = host_of(url)
    if site_of(host) == site_of(host_of(page)):
        return False
    parts = host.partition(":")[0].split(".")
    return any(".".join(parts[start:]) in _TRACKERS for start in range(len(parts) - 1))
