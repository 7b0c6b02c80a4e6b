"""`python3 docs/generator COMMAND`: see command_line.py."""

import sys

if sys.version_info < (3, 10):
    # In words that every Python understands.
    sys.stderr.write("%s is Python %d.%d; pages are made by Python 3.10 or newer\n"
                     % ((sys.executable,) + sys.version_info[:2]))
    sys.exit(2)

import importlib  # noqa: E402
import pathlib  # noqa: E402

# The folder is the package, whatever it is called.
folder = pathlib.Path(__file__).resolve().parent
sys.path[0] = str(folder.parent)
sys.exit(importlib.import_module(folder.name + ".command_line").main())
