"""`python3 bench/peers`: see command_line.py."""

import importlib
import pathlib
import sys

# The folder is the package, whatever it is called.
folder = pathlib.Path(__file__).resolve().parent
sys.path[0] = str(folder.parent)

if __name__ == "__main__":  # and not where a process of its own compiles something
    sys.exit(importlib.import_module(folder.name + ".command_line").main())
