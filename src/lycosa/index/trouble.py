"""What can be the matter with an index on the disk."""

from __future__ import annotations

from lycosa.core.errors import Refused


class Busy(Refused):
    """Somebody else is writing this index."""


class Unreadable(Refused):
    """What is in the folder is broken, or was made by another version; whoever writes there makes it anew."""
