"""A page opens without an error, and fits its window: nothing but what scrolls by itself is wider than the screen.
Leaves screenshots in the build folder's screenshots/, for people to look at."""
import kit

SCREENS = {"narrow-phone": (360, 740, False), "phone": (390, 844, False), "tablet": (1024, 768, False), "desk": (1440, 900, False),
           "dark": (1280, 900, True)}

TOO_WIDE = """
const edge = document.documentElement.clientWidth + 1;
if (document.documentElement.scrollWidth <= edge) return [];
const inside = (e) => { for (let p = e.parentElement; p; p = p.parentElement)
    if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(p).overflowX)) return true; return false; };
return [...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > edge && !inside(e))
    .slice(0, 3).map(e => e.tagName.toLowerCase() + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40));
"""


# Wherever a page has contents of its own, they or what unfolds them can be seen; and on a desk no timeline is cut.
CONTENTS_HIDDEN = """
const summary = document.querySelector('.on-this-page summary');
return summary && !summary.getClientRects().length ? ['the contents of the page cannot be seen'] : [];
"""
CUT = """
return [...document.querySelectorAll('.picture')].filter(e => e.getAttribute('aria-label').startsWith('Pipeline timeline')
    && e.getClientRects().length && e.scrollWidth > e.clientWidth + 1).map(e => 'a timeline is cut: ' + e.scrollWidth + ' of ' + e.clientWidth);
"""


def complaints(opened, where):
    for line in opened.get_log("browser"):
        if line["level"] == "SEVERE":
            yield f"{where}: the browser says: {line['message']}"
    for element in opened.execute_script(TOO_WIDE):
        yield f"{where}: wider than the screen: {element}"
    for why in opened.execute_script(CONTENTS_HIDDEN):
        yield f"{where}: {why}"
    for why in opened.execute_script(CUT) if "phone" not in where and "tablet" not in where else []:
        yield f"{where}: {why}"


def main():
    site, pages = kit.site_from_command_line()
    pages = kit.looked_at(site, pages)
    shots = site.parent / "screenshots"
    shots.mkdir(exist_ok=True)
    found = []
    opened = kit.browser()
    try:
        for page in pages:
            name = "-".join(page.relative_to(site).with_suffix("").parts)
            for screen, (width, height, dark) in SCREENS.items():
                kit.show(opened, width, height, dark)
                opened.get(page.as_uri())
                found += complaints(opened, f"{page.relative_to(site)} ({screen})")
                opened.save_screenshot(str(shots / f"{name}.{screen}.png"))
    finally:
        opened.quit()
    print(f"screenshots are in {shots}")
    kit.finish(found, pages)


main()
