"""`python3 docs/generator COMMAND`: see command_line.py."""

import pathlib
import sys

if __package__ in (None, ""):  # started as a folder: the package is what holds this file, whatever it is called
    folder = pathlib.Path(__file__).resolve().parent
    sys.path[0] = str(folder.parent)
    __package__ = folder.name
    __import__(__package__)

from .command_line import main  # noqa: E402

sys.exit(main())
