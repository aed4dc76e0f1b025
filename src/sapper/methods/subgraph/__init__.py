"""Suzuki, Hao and Minato, section 4: frontier-based search for degree-constrained subgraphs."""

from sapper.methods.subgraph.method import SubgraphMethod
from sapper.methods.subgraph.model import Edge, EdgeOrder, SearchStatistics, SubgraphModel

__all__ = ["Edge", "EdgeOrder", "SearchStatistics", "SubgraphMethod", "SubgraphModel"]
