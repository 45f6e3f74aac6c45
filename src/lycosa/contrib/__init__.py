"""Lycosa inside other programs: one package here for each of them.

Invariant: nothing else in Lycosa imports this, so a program that is not used costs nothing.
Must not know: the faces.
"""
