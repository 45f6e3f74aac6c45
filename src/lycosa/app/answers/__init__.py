"""Answers: what people and programs get, each declared once as a struct.

REST, the tools for agents, `--json` and Python give the same fields with the same names. The docstrings under the
fields are their descriptions in every schema. This package must not know how any face looks.
"""
