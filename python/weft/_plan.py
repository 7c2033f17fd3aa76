# SPDX-License-Identifier: Apache-2.0
"""What explain returns: text, and in a notebook a picture of it."""

from __future__ import annotations

import html


class Plan(str):
    """The text of a plan.

    >>> weft.arange(4).explain().startswith("weft")
    False
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Each line a row; passes are shaded."""
        lines = self.splitlines() or [""]
        height, width = 18, 7.3
        rows = []
        for row, line in enumerate(lines):
            is_pass = line.lstrip().startswith("pass")
            if is_pass:
                rows.append(f'<rect x="0" y="{row * height}" width="100%" height="{height}" '
                            'fill="#dbe9f6"/>')
            rows.append(f'<text x="6" y="{row * height + 13}" xml:space="preserve">'
                        f"{html.escape(line)}</text>")
        size = f'width="{int(12 + width * max(map(len, lines)))}" height="{height * len(lines)}"'
        return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" '
                f'font-size="12"><rect width="100%" height="100%" fill="#fff"/>{"".join(rows)}</svg>')
