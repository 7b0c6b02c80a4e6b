"""Everything can be done from the keyboard, and is spoken."""

import unittest

import browser
from browser import Keys, Page, evaluated


class Keyboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()

    @classmethod
    def tearDownClass(cls):
        cls.page.driver.quit()

    def tab_to(self, wanted, most=60):
        """Presses Tab until something has the focus."""
        seen = []
        for _ in range(most):
            self.page.press(Keys.TAB)
            seen.append(self.page.focused())
            if seen[-1] == wanted:
                return seen
        raise AssertionError(f"{wanted} is not reached by the Tab key; what is: {seen}")

    def view_in_focus(self):
        return self.page.js("return document.activeElement.closest('.view')?.dataset.view")

    def test_every_control_is_reached_and_seen(self):
        self.page.open("tile(bf16, 64, 64, k, b128)", descriptor="0x4000004000010200")
        wanted = set(self.page.js("return [...document.querySelectorAll('main :is(input, select, button, summary, [tabindex=\"0\"])')]"
                                  ".filter((e) => !e.disabled && e.offsetParent && !e.closest('[hidden]')).map((e) => e.id || e.className || e.tagName)"))
        self.page.js("document.querySelector('main').focus()")
        seen = set()
        for _ in range(80):
            self.page.press(Keys.TAB)
            if self.page.focused() in ("BODY", "skip"):  # once around
                break
            seen.add(self.page.focused())
            outline = self.page.js("const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]")
            self.assertTrue(outline[0] != "none" and outline[1] >= 1, f"{self.page.focused()} shows its focus")
        self.assertEqual(wanted - seen, set())

    def test_arrows_walk_over_the_grid(self):
        self.page.open("(4,8):(8,1)")
        self.page.js("document.querySelector('#expression').focus()")
        self.tab_to("cursor")
        self.assertEqual(self.view_in_focus(), "grid")
        self.page.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.page.facts()["coordinate"], "(1,2)")
        self.assertEqual(self.page.facts()["offset"], evaluated("((4,8):(8,1))(1,2)"))
        self.page.press(Keys.END)
        self.assertEqual(self.page.facts()["coordinate"], "(1,7)")
        self.page.press(Keys.PAGE_DOWN, Keys.ARROW_DOWN)  # stays at the edge
        self.assertEqual(self.page.facts()["coordinate"], "(3,7)")
        self.page.press_with_control(Keys.HOME)
        self.assertEqual(self.page.facts()["coordinate"], "(0,0)")
        self.page.press_with_control(Keys.END)
        self.assertEqual(self.page.facts()["coordinate"], "(3,7)")

    def test_what_the_cursor_is_on_is_spoken(self):
        self.page.open("tile(bf16, 64, 64, k, b128)")
        self.page.js("document.querySelector('#expression').focus()")
        self.tab_to("cursor")
        self.page.press(Keys.ARROW_DOWN)
        spoken = self.page.js("return document.getElementById('spoken').textContent")
        for part in ("coordinate (1,(0,0))", "byte 144", "bank 4", "core matrix (0,0)", "TMA coordinate (0,1)", "thread 4", "register 0"):
            self.assertIn(part, spoken)
        self.assertEqual(self.page.js("return document.getElementById('spoken').getAttribute('aria-live')"), "polite")
        role = self.page.js("const c = document.activeElement; return [c.getAttribute('role'), c.closest('[role=grid]') !== null, c.getAttribute('aria-rowindex'), c.getAttribute('aria-label')]")
        self.assertEqual(role, ["gridcell", True, "2", "72"])

    def test_the_other_views_follow_and_can_be_walked_over_too(self):
        self.page.open("tile(bf16, 64, 64, k, b128)")
        self.page.js("document.querySelector('.view[data-view=memory] .cursor').focus()")
        self.page.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        self.assertEqual(self.page.facts()["16-byte unit"], "9")
        row, column, _ = self.page.lit()["grid"]
        self.assertEqual(evaluated(f"written_at(tile(bf16, 64, 64, k, b128), {row}, {column})"), "144")
        self.page.js("document.querySelector('.view[data-view=registers] .cursor').focus()")
        before = self.page.facts()["thread"]
        self.page.press(Keys.ARROW_DOWN)
        self.assertEqual(int(self.page.facts()["thread"]), int(before) + 1)

    def test_a_folded_view_moves_on(self):
        self.page.open("(1024,1024):(1024,1)")
        self.page.js("document.querySelector('.view[data-view=grid] .cursor').focus()")
        for _ in range(9):
            self.page.press(Keys.PAGE_DOWN)
        self.assertEqual(self.page.facts()["coordinate"], "(72,0)")
        self.assertEqual(self.page.lit()["grid"][0], 72)
        self.page.press(Keys.END)
        self.assertEqual(self.page.facts()["coordinate"], "(72,1023)")

    def test_an_expression_is_typed_and_drawn(self):
        self.page.open("4:1")
        self.page.js("document.querySelector('main').focus()")
        self.tab_to("expression")
        self.page.press_with_control("a")
        self.page.press(*"(2,3):(3,1)")
        self.assertEqual(self.page.js("return document.querySelector('.said .result').textContent"), "(2,3):(3,1)")
        self.page.press(Keys.ENTER)  # stays on the page
        self.assertEqual(self.page.find("#expression").get_attribute("value"), "(2,3):(3,1)")

    def test_skip_link(self):
        self.page.open("4:1")
        self.page.press(Keys.TAB)
        self.assertEqual(self.page.focused(), "skip")


if __name__ == "__main__":
    browser.run()
