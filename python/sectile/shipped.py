"""The operators that come with the package."""

from pathlib import Path

from .calls import load

operators = load(Path(__file__).with_name("sectile_shipped.so"))
