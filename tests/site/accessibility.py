"""axe-core finds nothing on a page, in light and, every third of a sample, in dark: names of controls and pictures,
contrast, order of headings, landmarks, tables, languages (the rules of WCAG 2.1, A and AA, and axe's best practices)."""
import sys

import kit

site, pages = kit.site_from_command_line()
sys.path.insert(0, str(site.parent / "python"))  # where test.sh puts it
try:
    from axe_core_python.selenium import Axe
except ImportError:
    kit.leave_out("there is no axe-core (PyPI: axe-core-python)")

# Each picture is one image with a name, and its colours are a matter of its own tests: axe would spend minutes inside.
OUTSIDE_PICTURES = {"exclude": [["svg *"]]}
ALL_RULES = {"resultTypes": ["violations"]}
LARGE = 200_000  # bytes: beyond, axe takes longer than for all others of the sample
COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}  # what else there is does not change in the dark


def findings(axe, opened, where, rules):
    for violation in axe.run(opened, context=OUTSIDE_PICTURES, options=rules)["violations"]:
        for node in violation["nodes"][:3]:
            yield f"{where}: {violation['id']} ({violation['impact']}): {violation['help']}: {node['html'][:160]}"


def main():
    looked_at = [p for p in kit.looked_at(site, pages) if "--all" in sys.argv or p.stat().st_size < LARGE]
    axe, found = Axe(), []
    opened = kit.browser()
    try:
        for number, page in enumerate(looked_at):
            for dark in (False, True) if number % 3 == 0 or "--all" in sys.argv else (False,):
                kit.show(opened, dark=dark)
                opened.get(page.as_uri())
                where = f"{page.relative_to(site)} ({'dark' if dark else 'light'})"
                found += findings(axe, opened, where, COLOURS if dark else ALL_RULES)
    finally:
        opened.quit()
    kit.finish(found, looked_at)


main()
