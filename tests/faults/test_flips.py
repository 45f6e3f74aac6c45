"""A changed bit in any file of a collection is told, harmless or repaired: never another value in silence."""

from collections import Counter
from random import Random

import pytest

from faults import flips
