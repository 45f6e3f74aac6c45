"""Lycosa inside other programs: each package here serves the users of one of them.

Invariant: nothing in Lycosa imports this, so that nobody pays for a program that is not used.
Must not know: the faces.
"""
