"""The metrics: what the tracks of crawls are worth, by the papers' formulas; one metric a file, its formula on top.

Invariant: a metric is a pure function of evidence and tracks, computed when all crawls are over; it is nan where it has
no meaning (no description, no page, nothing to compare with) and never warns.
Must not know: strategies, how tracks were made, how numbers are shown.

To add one, write its file and name it here: reports, JSON and documentation read the table.
"""

from lycosa.lab.metrics import (
    calibration,
    cost,
    harvest_rate,
    harvest_window,
    hours,
    lexical,
    linkage,
    oracle_share,
    precision,
    relevant_hosts,
    requests,
    robustness,
    search_length,
    target_recall,
    target_recall_auc,
)
from lycosa.lab.metrics.importance import classifier, keywords, link_popularity, query_similarity, rank, seed_similarity
from lycosa.lab.metrics.metric import Metric

_MODULES = (
    target_recall,
    target_recall_auc,
    oracle_share,
    requests,
    hours,
    search_length,
    precision,
    harvest_rate,
    harvest_window,
    relevant_hosts,
    keywords,
    query_similarity,
    seed_similarity,
    classifier,
    rank,
    link_popularity,
    lexical,
    linkage,
    robustness,
    calibration,
    cost,
)
METRICS: dict[str, Metric] = {
    metric.key: metric for module in _MODULES for metric in vars(module).values() if isinstance(metric, Metric)
}
"""Every metric by its key, the most telling first."""
FORMULAS = {
    metric.key: str(module.__doc__)
    for module in _MODULES
    for metric in vars(module).values()
    if isinstance(metric, Metric)
}
"""The text on top of each metric's file."""
ORACLE_METRICS = (
    target_recall.METRIC,
    target_recall_auc.METRIC,
    requests.RECALL,
    requests.AREA,
    harvest_rate.METRIC,
    cost.REQUESTS,
)
"""What the oracle is measured by too; its pages belong to no pool, so the other metrics do not know them."""
