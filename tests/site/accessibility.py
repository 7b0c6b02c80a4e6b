"""axe-core finds nothing on any page, in light and in dark: names of controls and pictures, contrast, order of headings,
landmarks, tables, languages (the rules of WCAG 2.1, A and AA, and axe's best practices)."""
import pathlib
import sys

import kit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "build" / "python"))
try:
    from axe_core_python.selenium import Axe
except ImportError:
    kit.leave_out("there is no axe-core (PyPI: axe-core-python)")


def findings(axe, opened, where):
    for violation in axe.run(opened)["violations"]:
        for node in violation["nodes"][:3]:
            yield f"{where}: {violation['id']} ({violation['impact']}): {violation['help']}: {node['html'][:160]}"


def main():
    site, pages = kit.site_from_command_line()
    axe, found = Axe(), []
    for dark in (False, True):
        opened = kit.browser(dark=dark)
        try:
            for page in pages:
                opened.get(page.as_uri())
                where = f"{page.relative_to(site)} ({'dark' if dark else 'light'})"
                found += findings(axe, opened, where)
        finally:
            opened.quit()
    kit.finish(found, pages)


main()
