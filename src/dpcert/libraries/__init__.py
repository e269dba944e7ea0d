"""Adapters to other people's libraries: each module here turns a mechanism object of one library into targets.

No library is imported before its module's functions are called, or its module itself is imported.
docs/findings/field-report.md lists the faults that these adapters show, by version.
"""
