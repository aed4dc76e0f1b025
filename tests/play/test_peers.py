"""Peers that can be had from the package index, against ourselves."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from sapper import play

PLAYER = Path(__file__).resolve().parents[2] / "benchmarks" / "peers" / "toollib_player.py"


def test_ms_toollib_plays_as_the_safest() -> None:
    pytest.importorskip("ms_toollib")
    command = "exec:" + shlex.join([sys.executable, str(PLAYER)])
    peer = play.tournament(command, suite="classic-1", games=40, seconds=60)
    assert peer.failures == {}
    assert peer.strategy.startswith("ms_toollib ")
    ours = play.tournament("safest", suite="classic-1", games=40)
    # They may choose another of two equally likely cells, so only the odds are alike.
    assert abs(peer.wins - ours.wins) <= 8
    assert all(0 < luck <= 1 for luck in peer.luck)
