"""From Markdown to HTML."""

import re
import unittest

from kit import PICTURE, REPOSITORY, Problem

from generator import highlight, markdown, sources

DRAWN = PICTURE.replace('\\"', '"')


def html(text, **around):
    return markdown.to_html(text, markdown.Surroundings(**around))


class Blocks(unittest.TestCase):
    def test_anchors_are_those_of_repository_viewers(self):
        page = html("# A *page*\n\n## `sm.load` and waits, it's\n\n## Twice\n\n## Twice\n")
        self.assertEqual(page.title, "A page")
        self.assertEqual([h.anchor for h in page.headings], ["a-page", "smload-and-waits-its", "twice", "twice-1"])
        self.assertIn('<h2 id="twice-1">Twice <a class="anchor" href="#twice-1"', page.body)

    def test_a_figure_with_its_caption(self):
        page = html("![Words](a.svg)\n\n*Below*\n\n*Not a caption.* More.\n", picture=lambda target: DRAWN)
        self.assertIn('role="group" aria-label="Words"><svg', page.body)
        self.assertIn("<figcaption>Below</figcaption>", page.body)
        self.assertIn("<p><em>Not a caption.</em> More.</p>", page.body)
        self.assertNotIn("<style", page.body)

    def test_a_picture_from_elsewhere_is_an_image(self):
        page = html("![Words](a.svg)\n", link=lambda target: "up/" + target)
        self.assertIn('<img src="up/a.svg" alt="Words">', page.body)
        self.assertEqual(page.links, ["a.svg"])

    def test_ids_of_pictures_become_unique(self):
        drawn = '<svg class="sectile" aria-labelledby="t d"><title id="t">T</title><desc id="d">D</desc>' \
                '<marker id="m"/><path marker-end="url(#m)"/><use href="#m"/></svg>'
        body = html("![a](a.svg)\n\ntext\n\n![b](b.svg)\n", picture=lambda target: drawn).body
        ids = re.findall(r'id="([^"]+)"', body)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertIn('aria-labelledby="p2-t p2-d"', body)
        self.assertIn("url(#p2-m)", body)
        self.assertIn('href="#p2-m"', body)

    def test_tables_scroll_and_empty_headers_go(self):
        self.assertIn('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
                      html("| a | b |\n| --- | ---: |\n| c | 1 |\n").body)
        self.assertNotIn("<thead>", html("| | |\n| --- | --- |\n| c | 1 |\n").body)
        self.assertNotIn("<th></th>", html("| | a |\n| --- | --- |\n| c | 1 |\n").body)

    def test_links_are_led_everywhere(self):
        page = html("# T [a](x.md)\n\n[b](y.md#z) and | |\n\n| [c](v.md) |\n| --- |\n| d |\n\n<p><a href=\"w.md\">w</a></p>\n",
                    link=lambda target: target.replace(".md", ".html"))
        for name in ("x.html", "y.html#z", "v.html", "w.html"):
            self.assertIn(f'href="{name}"', page.body)
        self.assertNotIn(".md", page.body)

    def test_comments_are_left_out(self):
        self.assertNotIn("Generated", html("<!-- Generated -->\n\n# T\n").body)

    def test_answers_fold(self):
        body = html("<details>\n<summary>Answer</summary>\n\n**b**\n\n</details>\n").body
        self.assertIn("<details>\n<summary>Answer</summary>\n<p><strong>b</strong></p>\n</details>", body)


class Code(unittest.TestCase):
    def test_code_is_coloured_and_escaped(self):
        body = html("```cpp run\nint x = a<b>; // <tag>\n```\n").body
        self.assertIn('<span class="kt">int</span>', body)
        self.assertIn("&lt;tag&gt;", body)
        self.assertIn('<div class="code cpp"><pre tabindex="0">', body)
        self.assertIn('class="code cpp refused"', html("```cpp refused\nint x;\n```\n").body)

    def test_code_by_indentation(self):
        self.assertIn('<div class="code plain"><pre tabindex="0"><code>a &lt; b</code>', html("x\n\n    a < b\n").body)

    def test_commands_stand_out(self):
        self.assertIn('<span class="gp">$ </span><span class="command">sectile a &lt;b&gt;</span>\n<span class="go">out</span>',
                      html("```console\n$ sectile a <b>\nout\n```\n").body)

    def test_notes_stand_at_their_lines(self):
        text = "```cpp ignore lines=31 notes\nint a;\n/* b\n c */\n```\n\n- **31** About `a`.\n- **31** More.\n- **33** End.\n"
        body = html(text).body
        self.assertEqual(body.count('class="number"'), 3)
        self.assertIn('<span class="number">31</span><code>', body)
        self.assertIn('<div class="note"><p>About <code>a</code>.</p><p>More.</p></div>', body)
        self.assertNotIn("<ul>", body)

    def test_a_note_about_a_line_that_is_not_there(self):
        with self.assertRaises(Problem):
            html("```cpp ignore lines=31 notes\nint a;\n```\n\n- **40** About.\n")

    def test_no_tag_reaches_over_a_line(self):
        for line in highlight.lines_of("int a; /* one\ntwo\nthree */ int b;\n", "cpp"):
            self.assertEqual(line.count("<span"), line.count("</span>"))


class Styles(unittest.TestCase):
    def test_contrast(self):
        """Text on what it stands on: at least 4.5 to 1, in both themes."""
        css = (REPOSITORY / "docs/generator/style.css").read_text()
        blocks = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", b)) for b in re.findall(r":root[^{]*\{([^}]*)\}", css)]
        light, dark, chosen = (b for b in blocks if len(b) > 5)
        self.assertEqual(dark, chosen)
        for theme in (light, {**light, **dark}):
            for text in ("ink", "muted", "accent", "link", "keyword", "type", "string", "number", "comment", "directive"):
                for ground in ("paper", "panel", "note"):
                    ratio = contrast(theme[text], theme[ground])
                    self.assertGreaterEqual(ratio, 4.5, f"{text} {theme[text]} on {ground} {theme[ground]}")


def contrast(a, b):
    def luminance(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


class Excerpts(unittest.TestCase):
    def test_braces_in_comments_and_literals_do_not_count(self):
        code = "struct a { char c = '}'; /* } */ const char* s = \"}\\\"}\"; };\nint x;\n"
        self.assertEqual(code[:sources.end_of(sources.blanked(code), 0)], code.split("\n")[0])

    def test_a_declaration_without_an_end(self):
        with self.assertRaises(Problem):
            sources.end_of("struct a {", 0)


if __name__ == "__main__":
    unittest.main()
