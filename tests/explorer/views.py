"""Pointing at an element lights it up in every view, and what is said of it is what the tool says."""

import re

import browser
from browser import OnPage, evaluated, refused, some

LAYOUTS = ["(4,8):(8,1)", "((2,2),4):((1,8),2)", "Sw<3,3,3> o (8,64):(64,1)", "(6,6):(7,1)", "12:3", "(3,(2,4)):(8,(24,1))",
           "blocked_product((2,5):(5,1), (3,4):(1,3))"]
TILES = [("bf16", 64, 64, "k", "b128"), ("bf16", 128, 64, "mn", "b128"), ("e4m3", 64, 64, "k", "b64"), ("tf32", 64, 16, "k", "b32"),
         ("f16", 64, 32, "k", "none")]


def picked(count, size):
    """Some elements of so many, the first and the last among them."""
    return sorted({0, size - 1} | {(k * 7919 + 13) % size for k in range(count)})


class Views(OnPage):
    def point_at(self, index, rows):
        """Points at an element in the grid, whose window begins at the first."""
        self.page.point("grid", index % rows, index // rows)
        self.assertEqual(self.page.facts()["index"], str(index))

    def expect(self, facts, expected, text):
        for name, expression in expected.items():
            self.assertEqual(facts[name], evaluated(expression), f"{name} of {text}")

    def test_layouts(self):
        for text in some(LAYOUTS):
            self.page.open(text, type="bf16", unit=4)
            self.assertEqual(self.page.views(), ["grid", "memory"])
            size, rank = int(evaluated(f"size({text})")), int(evaluated(f"rank({text})"))
            rows = int(evaluated(f"size(mode({text}, 0))")) if rank > 1 else 1
            for index in picked(1, size):
                self.point_at(index, rows)
                facts = self.page.facts()
                at = f"({text})({index})"
                self.expect(facts, {"offset": at, "coordinate": f"idx2crd({index}, shape({text}))", "byte": f"{at} * bits(bf16) / 8",
                                    "bank": f"{at} * 2 / 4 % 32", "16-byte unit": f"{at} * 2 / 16"}, text)
                byte = int(facts["byte"])
                lit = self.page.lit()
                self.assertEqual(lit["grid"], [index % rows, index // rows, facts["offset"]])
                self.assertEqual(lit["memory"][:2], [byte // 128, byte % 128 // 4])

    def test_cosize_of_layouts_that_go_backwards(self):
        for text in some(["4:-1", "(4,8):(1,-4)", "(3,2):(-7,1)"]):
            self.page.open(text)
            self.assertIn(f"cosize {evaluated(f'cosize({text})')},", self.page.said())

    def test_operand_tiles(self):
        for kind, mn, k, major, swizzle in some(TILES):
            text = f"tile({kind}, {mn}, {k}, {major}, {swizzle})"
            self.page.open(text)
            self.assertEqual(self.page.views(), ["grid", "memory", "registers"])
            k_step = int(evaluated(f"256 / bits({kind})"))
            for index in picked(1, min(mn, 64) * min(k, 64)):
                row, column = index % min(mn, 64), index // min(mn, 64)
                self.page.point("grid", row, column)
                facts = self.page.facts()
                self.expect(facts, {
                    "index": f"{row} + {mn} * {column}", "offset": f"({text})({row}, {column})",
                    "byte": f"written_at({text}, {row}, {column})", "TMA writes byte": f"written_at({text}, {row}, {column})",
                    "wgmma reads byte": f"read_at({text}, {row}, {column}, 64, {k_step})",
                    "bank": f"written_at({text}, {row}, {column}) / 4 % 32",
                    "16-byte unit": f"written_at({text}, {row}, {column}) / 16"}, text)
                slot = [int(x) for x in evaluated(f"a_slot({kind}, {row % 64}, {column % k_step})").strip("()").split(",")]
                self.assertEqual([facts["thread"], facts["register"]], [str(slot[0]), str(slot[1])])
                byte, parts = int(facts["byte"]), int(evaluated(f"32 / bits({kind})"))
                lit = self.page.lit()
                self.assertEqual(lit["grid"][:2], [row, column])
                self.assertEqual(lit["memory"][:2], [byte // 128, byte % 128 // 16])
                if "registers" in lit:  # in the window of threads that is drawn
                    self.assertEqual(lit["registers"], [slot[0], slot[1] * parts + slot[2], f"{row},{column}"])

    def test_boxes_and_core_matrices(self):
        text = "tile(bf16, 512, 128, k, b128)"
        self.page.open(text, i=300 + 512 * 70)
        facts = self.page.facts()
        first = [int(x) for x in evaluated(f"place_of_box({text}, 3)").strip("()").split(",")]
        self.assertEqual(facts["TMA coordinate"], f"({70 - first[1]},{300 - first[0]})")
        self.assertEqual(facts["core matrix"], "({},{})".format(300 // 8, 70 // 8))

        bits = "tile(b1, 64, 2048, k, b128)"  # which TMA counts in bytes
        self.page.open(bits, i=3 + 64 * 1100)
        self.assertEqual(self.page.facts()["TMA coordinate"], f"({(1100 - 1024) // 8},3)")

    def test_fragments(self):
        for text, kind, columns, slot, parts in [("d_layout(32)", "f32", 32, "d_slot({row}, {column})", 1),
                                                 ("a_layout(bf16)", "bf16", 16, "a_slot(bf16, {row}, {column})", 2),
                                                 ("a_layout(e4m3)", "e4m3", 32, "a_slot(e4m3, {row}, {column})", 4)]:
            self.page.open(text, type=kind)
            self.assertEqual(self.page.views(), ["grid", "matrix"])
            for index in picked(1, 64 * min(columns, 64)):
                row, column = index % 64, index // 64
                self.page.point("matrix", row, column)
                facts = self.page.facts()
                self.assertEqual(facts["row and column"], f"({row},{column})")
                where = [int(x) for x in evaluated(slot.format(row=row, column=column)).strip("()").split(",")]
                self.assertEqual(facts["thread"], str(where[0]))
                self.assertEqual(self.page.lit()["matrix"], [row, column, f"T{where[0]} v{where[1] * parts + where[2]}"])
                self.assertEqual(evaluated(f"({text})({facts['index']})"), str(row + 64 * column))

    def test_any_view_leads_to_all(self):
        self.page.open("tile(bf16, 64, 64, k, b128)", i=0)
        for view in self.page.views():
            self.page.point(view, 7, 3)
            self.assertTrue(self.page.marker_is_under_the_mouse(view), view)
        self.page.point("memory", 9, 1, click=True)  # line 9, bytes 16 to 31
        facts = self.page.facts()
        self.assertEqual(facts["16-byte unit"], str(9 * 8 + 1))
        row, column = self.page.lit()["grid"][:2]
        self.assertEqual(evaluated(f"written_at(tile(bf16, 64, 64, k, b128), {row}, {column})"), str(9 * 128 + 16))
        self.page.point("registers", 5, 3)
        self.assertEqual([self.page.facts()[x] for x in ("thread", "register")], ["5", "1"])
        self.page.point_away()  # what was clicked counts again
        self.assertEqual(self.page.facts()["16-byte unit"], str(9 * 8 + 1))
        self.page.screenshot("tile")

    def test_typing(self):
        self.page.open("(4,8):(8,1)")
        self.page.type("coalesce((2,(1,6)):(1,(6,2)))")
        self.assertIn(evaluated("coalesce((2,(1,6)):(1,(6,2)))"), self.page.said())
        self.page.type("size((4,8):(8,1))")
        self.assertIn("32", self.page.said())
        self.assertIn("an integer", self.page.said())
        self.page.type("(4,8):(1,4)")
        self.page.wait(lambda: "(4,8):(1,4)" in self.page.js("return decodeURIComponent(location.hash)"), "the address follows")

    def test_what_does_not_parse_is_said_as_the_tool_says_it(self):
        self.page.open("(4,8):(8,1)")
        self.page.type("(4,8):(8,1")
        self.assertIn("expected ',' or ')'", self.page.said())
        self.page.set("(4,8):(8,1)")
        before = self.page.js("return document.querySelector('.view .body svg').outerHTML")
        for text in some(["((8,16),(8,8):((8,512),(1,64))", "(4,8", "compositon(4:1, 2:1)", "complement((4,2):(1,2), 24)",
                          "tile(bf16, 64, 60, k, b128)", "1 + size(complement(4:-1))", "<script>alert(1)</script>"], 3):
            self.page.set(text)
            shown = self.page.js("return document.querySelector('#said pre').textContent")
            self.assertEqual(shown, refused(text))
            self.assertTrue(self.page.js("return document.getElementById('desk').classList.contains('stale')"))
            self.assertEqual(self.page.find("#expression").get_attribute("aria-invalid"), "true")
            self.assertEqual(self.page.js("return document.querySelector('.view .body svg').outerHTML"), before)
        self.page.screenshot("refused")
        self.page.type("(4,8):(1,4)")
        self.assertFalse(self.page.js("return document.getElementById('desk').classList.contains('stale')"))

    def test_large_layouts_are_folded_and_say_so(self):
        self.page.open("(1024,(64,16)):(64,(1,65536))")
        note = self.page.text('.view[data-view="grid"] .note')
        self.assertEqual(note, "Folded: 64 of 1024 rows, 64 of 1024 columns are drawn")
        self.page.find('.view[data-view="grid"] .turns button[aria-label="Later rows"]').click()
        self.page.point("grid", 3, 5)
        self.assertEqual(self.page.facts()["index"], str(67 + 1024 * 5))
        self.page.screenshot("folded")
        self.page.open("(1099511627776,2):(2,1)")
        self.assertIn("2^40", self.page.said())

    def test_controls_write_the_expression(self):
        self.page.open("tile(bf16, 64, 64, k, b128)")
        for control, value, part in [("tile-major", "mn", "mn, b128"), ("tile-swizzle", "b64", "mn, b64"), ("tile-type", "f16", "tile(f16")]:
            self.page.choose(control, value)
            self.assertIn(part, self.page.find("#expression").get_attribute("value"))
        self.assertEqual(self.page.find("#expression").get_attribute("value"), "tile(f16, 64, 64, mn, b64)")
        self.assertIn(evaluated("tile(f16, 64, 64, mn, b64)"), self.page.said())
        self.page.choose("tile-type", "e4m3")  # there is no such operand: the rule is said
        self.assertIn("an MN-major operand needs elements of 16 bits", self.page.said())
        self.page.type("tile(tf32, 128, 32, k, b128)")
        shown = [self.page.find(f"#tile-{x}").get_attribute("value") for x in ("type", "mn", "k", "major", "swizzle")]
        self.assertEqual(shown, ["tf32", "128", "32", "k", "b128"])
        kind = lambda: self.page.find("#tile-type").get_attribute("value")
        self.page.set("let e = f16; let A = tile(e, 64, 64, k, b64); A")  # the type is the tile's, however it is written
        self.assertEqual(kind(), "f16")
        self.page.set("tile(8, 64, 64, k, b64)")
        self.assertEqual(kind(), "8")
        self.page.choose("tile-swizzle", "b32")
        self.assertEqual(self.page.find("#expression").get_attribute("value"), "tile(8, 64, 64, k, b32)")
        self.page.set("tile(bf16, 64, 8, k, none)")  # less than an instruction of operand A
        self.assertEqual(self.page.views(), ["grid", "memory"])

    def test_element_size(self):
        self.page.open("(8,64):(64,1)", i=9)
        for kind in some(("f32", "bf16", "e4m3", "b1")):
            self.page.choose("type", kind)
            self.assertEqual(self.page.facts()["byte"].split(",")[0], evaluated(f"((8,64):(64,1))(9) * bits({kind}) / 8"))

    def test_examples_have_values(self):
        self.page.open()
        presets = self.page.js("return [...document.querySelectorAll('#preset option')].map((o) => o.value).filter(Boolean)")
        for expression in some(presets):
            self.page.choose("preset", expression)
            self.assertNotEqual(self.page.find("#expression").get_attribute("aria-invalid"), "true", expression)
            self.assertIn(evaluated(expression), self.page.said())

    def test_the_address_leads_back(self):
        self.page.open("tile(bf16, 128, 64, k, b128)", i=777)
        self.page.choose("colour", "core")
        self.page.point("grid", 20, 30, click=True)
        facts = self.page.facts()
        self.page.wait(lambda: "colour=core" in self.page.js("return location.hash") and "i=3860" in self.page.js("return location.hash"),
                       "the address holds what is shown")
        address = self.page.js("return location.hash")
        self.page.driver.get("about:blank")
        self.page.driver.get(browser.page_file.resolve().as_uri() + address)
        self.page.wait(lambda: self.page.js("return document.documentElement.dataset.ready") == "true", "the page is ready")
        self.assertEqual(self.page.facts(), facts)
        self.assertEqual(self.page.find("#colour").get_attribute("value"), "core")

    def test_odd_addresses_do_no_harm(self):
        for hash in some(["%", "%zz&i=x&type=nothing&step=-4&kernel=none", "(4,8)&i=99999999999999999999", "&&&=", "4:1&i=-3&unit=7&labels=x"], 3):
            self.page.driver.get("about:blank")
            self.page.driver.get(browser.page_file.resolve().as_uri() + "#" + hash)
            self.page.wait(lambda: self.page.js("return document.documentElement.dataset.ready") == "true", f"#{hash} opens")


if __name__ == "__main__":
    browser.run()
