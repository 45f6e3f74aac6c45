"""The metrics: what the tracks of crawls are worth, by the papers' formulas; one metric a file, its formula on top.

Invariant: a metric is a pure function of evidence and tracks, computed when all crawls are over; it is nan where it has
no meaning (no description, no page, nothing to compare with) and never warns.
Must not know: strategies, how tracks were made, how numbers are shown.

To add one, write its file and name it here: reports, JSON and documentation read the table.
"""

from lycosa.lab.metrics import (
    cost,
    harvest_rate,
    harvest_window,
    lexical,
    linkage,
    oracle_share,
    precision,
    relevant_hosts,
    robustness,
    search_length,
    target_recall,
    target_recall_auc,
)
from lycosa.lab.metrics.importance import classifier, keywords, link_popularity, query_similarity, rank, seed_similarity
from lycosa.lab.metrics.metric import Metric

METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        target_recall.METRIC,
        target_recall_auc.METRIC,
        oracle_share.METRIC,
        search_length.METRIC,
        precision.METRIC,
        harvest_rate.METRIC,
        harvest_window.METRIC,
        relevant_hosts.METRIC,
        keywords.METRIC,
        query_similarity.METRIC,
        seed_similarity.METRIC,
        classifier.METRIC,
        rank.METRIC,
        link_popularity.METRIC,
        lexical.RANK,
        lexical.COVERAGE,
        linkage.RANK,
        linkage.COVERAGE,
        robustness.METRIC,
        cost.PAGES,
        cost.BYTES,
        cost.CPU,
    )
}
"""Every metric by its key, the most telling first."""
ORACLE_METRICS = (target_recall.METRIC, target_recall_auc.METRIC, harvest_rate.METRIC)
"""What the oracle is measured by too; its pages belong to no pool, so the other metrics do not know them."""
