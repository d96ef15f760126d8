"""What the services share. The kernel is taken from what `make compile` has built, where that is current."""

import sys

from shared.compiled import BUILD, is_wanted

if is_wanted():
    sys.path.append(str(BUILD))  # for the library that its modules share
    __path__.insert(0, str(BUILD / "shared"))
