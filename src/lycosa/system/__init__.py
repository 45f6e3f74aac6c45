"""What every room uses of the operating system: atomic files, locks, signals, child processes, descriptors, errors.

Invariant: a file or folder is complete or does not exist, and an error names what failed and what to do about it.
Must not know: crawling. Nothing here imports another room.
"""
