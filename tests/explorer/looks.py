"""How it looks: on a phone, in light and dark, with enough contrast; and how large it is. Screenshots are kept."""

import unittest

import browser
from browser import Keys, Page, some

STATES = {"tile": ("tile(bf16, 64, 64, k, b128)", {"i": 777, "descriptor": "0x4000004000010200"}),
          "layout": ("(4,8):(8,1)", {"i": 9}), "fragment": ("d_layout(32)", {"type": "f32", "i": 777}),
          "folded": ("(1024,(64,16)):(64,(1,65536))", {"i": 77}), "wide": ("tile(b1, 128, 1024, k, b128)", {"labels": "always"}),
          "refused": ("tile(bf16, 64, 60, k, b128)", {})}

# Pairs of text and what it stands on that are too alike: the contrast of WCAG 2.1 below 4.5.
CONTRAST = """
const number = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
const channel = (x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ground = (e) => { for (; e; e = e.parentElement) { const c = number(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0.9) return c; } return [255, 255, 255]; };
const found = [];
const judge = (what, fore, back) => { const [a, b] = [light(fore), light(back)]; const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); if (ratio < 4.5) found.push(`${what}: ${ratio.toFixed(2)}`); };
for (const e of document.querySelectorAll('main *, header *')) {
  if (!e.offsetParent || e.disabled || e.closest('svg, [hidden], .visually-hidden')) continue;
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
  judge(`${e.tagName}.${e.className} "${e.textContent.trim().slice(0, 20)}"`, number(getComputedStyle(e).color), ground(e));
}
const label = document.querySelector('.body .labels text');
if (label) for (const p of document.querySelectorAll('.body path[class^=f]')) judge(`label on ${p.getAttribute('class')}`, number(getComputedStyle(label).fill), number(getComputedStyle(p).fill));
for (const t of document.querySelectorAll('.heads text, .lanes text')) judge('head', number(getComputedStyle(t).fill), ground(t.closest('div')));
return [...new Set(found)];
"""


class Looks(unittest.TestCase):
    def test_phone(self):
        for theme in some(("light", "dark"), 1):
            with Page(390, 844, theme=theme, phone=True) as page:
                for name, (expression, state) in some(STATES.items()):
                    page.open(expression, **state)
                    self.assertLessEqual(page.overflow(), 0, f"{name} is wider than a phone")
                    small = page.js("return [...document.querySelectorAll('main :is(input, select, button)')].filter((e) => e.offsetParent"
                                    " && e.getBoundingClientRect().height < 28).map((e) => e.id || e.getAttribute('aria-label'))")
                    self.assertEqual(small, [], "what is touched is large enough")
                    page.screenshot(f"phone-{name}-{theme}")
                page.open(*STATES["tile"][:1], **STATES["tile"][1])
                page.screenshot(f"phone-whole-{theme}", full=True)
                self.assertEqual(page.problems(), [])

    def test_what_is_chosen_is_not_covered(self):
        with Page(360, 740, phone=True) as page:
            page.open("tile(bf16, 64, 64, k, b128)")
            page.js("document.querySelector('.view[data-view=grid] .cursor').focus()")
            page.press(*[Keys.ARROW_DOWN] * 40)
            page.wait(lambda: page.facts()["coordinate"].startswith("(40,"), "forty rows further down")
            below = page.js("const c = document.querySelector('.view[data-view=grid] .cursor').getBoundingClientRect(),"
                            " f = document.getElementById('facts').getBoundingClientRect();"
                            " return [c.top, c.bottom, f.top, f.bottom];")
            self.assertTrue(0 <= below[0] and (below[1] <= below[2] or below[0] >= below[3]), below)

    def test_touch(self):
        with Page(390, 844, phone=True) as page:
            page.open("(4,8):(8,1)")
            box = page.js("const b = document.querySelector('.body'); b.scrollIntoView({block: 'center'}); const r = b.getBoundingClientRect(); return [r.left, r.top, b.querySelector('.cursor').offsetWidth, b.querySelector('.cursor').offsetHeight]")
            point = [{"x": box[0] + 2.5 * box[2], "y": box[1] + 1.5 * box[3]}]
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            page.wait(lambda: page.facts()["coordinate"] == "(1,2)", "a touch chooses an element")

    def test_light_and_dark(self):
        shades = []
        for theme in ("light", "dark"):
            with Page(1400, 1000, theme=theme) as page:
                for name, (expression, state) in some(STATES.items()):
                    page.open(expression, **state)
                    self.assertLessEqual(page.overflow(), 0)
                    self.assertEqual(page.js(CONTRAST), [], f"{name} in {theme}")
                    page.screenshot(f"{name}-{theme}", full=name == "tile")
                shades.append(page.js("return getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*shades)

    def test_the_button_changes_the_theme(self):
        with Page(theme="light") as page:
            page.open("4:1")
            before = page.js("return getComputedStyle(document.body).backgroundColor")
            page.find("button.theme").click()
            self.assertNotEqual(page.js("return getComputedStyle(document.body).backgroundColor"), before)
            self.assertEqual(page.js(CONTRAST), [])
            self.assertEqual(page.text("button.theme"), "Light")

    def test_names_of_controls_and_nothing_is_fetched(self):
        with Page() as page:
            page.open("tile(bf16, 64, 64, k, b128)")
            nameless = page.js("return [...document.querySelectorAll('main :is(input, select, button), main [role=grid]')].filter((e) => e.offsetParent &&"
                               "!(e.labels?.length || e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML)")
            self.assertEqual(nameless, [])
            self.assertEqual(page.js("return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !n.startsWith('data:'))"), [])

    def test_size(self):
        self.assertLess(browser.page_file.stat().st_size, 1_200_000)


if __name__ == "__main__":
    browser.run()
