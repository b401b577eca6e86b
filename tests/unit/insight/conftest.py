"""What tests of the search and of the model have, too."""

from tests.unit.ordinal.conftest import one_thread
from tests.unit.search.conftest import quick

__all__ = ["one_thread", "quick"]
