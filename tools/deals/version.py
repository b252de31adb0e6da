"""The version of the rules that turn a workbook into deals."""

RULES_VERSION = "1"
"""Part of every job's id: the same file under other rules is another job.

Raise it by one with any change after which some file may give other tables, fields, values or issues (the dictionary,
mapping, normalising, kinds, checks, region and row rules), once such a change is released. A change that only makes
the same answer faster leaves it as it is.
"""
