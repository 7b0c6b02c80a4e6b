"""Descriptors: 64 bits into fields and a layout, as the tool has them; and the descriptor of a tile."""


import browser
from browser import OnPage, evaluated, refused

WORDS = ["0x4000004000010200", "0x8000002000010200", "0xc000001000010040", "0x0000001000080100", "0x4002004000400200"]


class Descriptors(OnPage):
    def paste(self, word):
        self.page.js("const f = document.getElementById('hex'); f.value = arguments[0];"
                     "f.dispatchEvent(new Event('input', {bubbles: true}));", word)

    def fields(self):
        """{name: (first bit, last bit, value, bytes)}"""
        rows = self.page.js("return [...document.querySelectorAll('#descriptor tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))")
        return {r[1]: (*map(int, r[0].split(" to ")), int(r[2]), int(r[3]) if r[3] else None) for r in rows}

    def test_fields_are_those_of_the_tool(self):
        self.page.open("(4,8):(8,1)")
        for word in WORDS:
            self.paste(word)
            fields, bits = self.fields(), int(word, 16)
            said = evaluated(f"decode({word})")
            for first, last, value, _ in fields.values():
                self.assertEqual(value, bits >> first & (1 << last - first + 1) - 1, word)
            for name, begin in (("LBO", "LBO "), ("SBO", "SBO ")):
                self.assertIn(f"{begin}{fields[name][3]},", said)
            self.assertIn(f"start 0x{fields['start address'][3]:05x},", said)
            self.assertIn(f"base offset {fields['base offset'][2]},", said)

    def test_the_layout_is_the_canonical_one(self):
        self.page.open("(4,8):(8,1)")
        self.paste("0x4000004000010200")
        text = self.page.text("#descriptor")
        self.assertIn(evaluated("Sw<3,3,3> o canonical_layout(k, b128, bf16, 64, 16, 8, 512)"), text)
        self.assertTrue(self.page.js("return !document.querySelector('.view[data-view=canonical]').hidden"))
        self.page.find("#descriptor button").click()
        expression = self.page.find("#expression").get_attribute("value")
        self.assertIn(evaluated(expression), self.page.said())
        self.page.choose("descriptor-major", "mn")
        self.assertIn("descriptor_layout(0x4000004000010200, mn, bf16, 64, 16)", self.page.text("#descriptor"))
        self.assertIn(evaluated("Sw<3,3,3> o canonical_layout(mn, b128, bf16, 64, 16, 8, 512)"),
                      self.page.text("#descriptor"))

    def test_a_start_inside_the_pattern_counts(self):
        self.page.open("(4,8):(8,1)")
        self.paste("0x4000004000010202")
        self.assertIn(evaluated("Sw<3,3,3> o 16 o canonical_layout(k, b128, bf16, 64, 16, 8, 512)"),
                      self.page.text("#descriptor"))

    def test_the_bar_has_all_bits(self):
        self.page.open("(4,8):(8,1)")
        self.paste("0x4000004000010200")
        parts = self.page.js("return [...document.querySelectorAll('.bits span')].map((s) => [s.style.flexGrow, s.title])")
        self.assertEqual(sum(int(width) for width, _ in parts), 64)
        self.assertEqual([title for _, title in parts if "must be 0" in title],
                         [f"bits {bits} must be 0" for bits in ("52 to 61", "46 to 48", "30 to 31", "14 to 15")])

    def test_what_is_illegal_is_said(self):
        self.page.open("(4,8):(8,1)")
        for word in ["0x4000004000014200", "0x0002001000080100", "0x0000000000004000"]:
            self.paste(word)
            self.assertIn(refused(f"decode({word})").split(": ", 1)[1].split("\n")[0], self.page.text("#descriptor"), word)
            self.assertTrue(self.page.js("return document.querySelector('.view[data-view=canonical]').hidden"), word)
        self.page.js("window.scrollTo(0, 0)")
        self.page.screenshot("illegal-descriptor", full=True)
        for word in ["hello", "0x", "0x12345678123456789", "12 34"]:
            self.paste(word)
            self.assertIn("a descriptor is 64 bits in hexadecimal", self.page.text("#descriptor"), word)
        self.paste("")
        self.assertEqual(self.page.text("#descriptor"), "")

    def test_the_descriptor_of_a_tile(self):
        text = "tile(bf16, 128, 64, k, b128)"
        self.page.open(text, i=70 + 128 * 20)
        self.page.find("#of-tile").click()
        word = self.page.find("#hex").get_attribute("value")
        relative = evaluated(f"encode(descriptor_at({text}, 64, 16))")
        self.assertEqual(word, evaluated(f"hex({relative} + (0x400 >> 4))"))
        self.assertIn("(64, 16)", self.page.text("#descriptor-source"))
        self.page.js("const f = document.getElementById('start'); f.value = '100';")
        self.page.find("#of-tile").click()
        self.assertIn("a multiple of 1024 bytes", self.page.text("#descriptor-source"))
        self.page.set("(4,8):(8,1)")
        self.page.find("#of-tile").click()
        self.assertIn("only an operand tile has a descriptor", self.page.text("#descriptor-source"))

    def test_the_address_holds_it(self):
        self.page.open("4:1", descriptor="0x8000002000010200", major="mn", of="f16")
        self.assertIn("descriptor_layout(0x8000002000010200, mn, f16", self.page.text("#descriptor"))
        self.page.screenshot("descriptor", full=True)


if __name__ == "__main__":
    browser.run()
