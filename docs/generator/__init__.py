"""Turns what the `sectile` program says into pages: Markdown for repository viewers, HTML for everybody else."""
