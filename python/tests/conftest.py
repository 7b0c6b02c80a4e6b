"""The package under test: the one that is installed, or the one that SECTILE_PACKAGE (a folder) has."""

import os
import sys

if "SECTILE_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["SECTILE_PACKAGE"])
