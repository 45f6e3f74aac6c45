"""What every room may use of the operating system: atomic files, locks, signals, child processes, descriptors, errors.

Invariant: a file or folder is there whole or not at all, and an error names what failed and what to do about it.
Must not know: crawling. Nothing here imports another room.
"""
