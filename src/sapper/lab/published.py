"""Numbers that papers report, to stand beside ours."""

from __future__ import annotations

from typing import Final, NamedTuple


class Published(NamedTuple):
    """Seconds of the two methods of Suzuki, Hao and Minato on one kind of board."""

    zdd: float
    dc: float


def _table(rows: dict[int, list[float]]) -> dict[tuple[int, int], Published]:
    return {
        (mines, visible): Published(*row[2 * place : 2 * place + 2])
        for visible, row in rows.items()
        for place, mines in enumerate((10, 20, 30))
    }


# Tables 1 and 2; Intel Core i7-3930K at 3.2 GHz. Keys are (per cent mines, per cent visible).
SUZUKI: Final[dict[str, dict[tuple[int, int], Published]]] = {
    "grid": _table(
        {
            20: [15.306, 0.023, 16.124, 0.095, 16.921, 0.024],
            40: [24.636, 0.051, 34.478, 1.226, 36.521, 79.872],
            60: [18.915, 0.033, 23.872, 0.065, 35.572, 0.273],
            80: [6.013, 0.019, 12.659, 0.024, 18.790, 0.030],
        }
    ),
    "graph": _table(
        {
            20: [0.816, 0.004, 89.602, 0.024, 82.493, 0.141],
            40: [5.859, 0.012, 12.410, 0.071, 60.105, 2.592],
            60: [0.917, 0.006, 2.065, 0.007, 147.352, 0.234],
            80: [0.203, 0.005, 0.500, 0.008, 0.737, 0.007],
        }
    ),
}
