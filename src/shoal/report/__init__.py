"""The report of one release, as HTML and PDF, for somebody who decides and signs.

`jobs` finds everything out; this room only chooses the words and draws.
"""

from shoal.report.document import write_report

__all__ = ["write_report"]
