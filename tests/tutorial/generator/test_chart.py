import json
import xml.etree.ElementTree

import kit
from generator import chart

ROWS = [
    {"name": "a", "kind": "bf16", "m": 64, "n": 32, "k": 16, "us": 2, "tflops": 400, "intensity": 300,
     "one": 1.5, "one_us": 3, "other": 0.9, "other_us": 1.8},
    {"name": "b", "kind": "bf16", "m": 128, "n": 32, "k": 16, "us": 2, "tflops": 80, "intensity": 20, "one": 4.0,
     "one_us": 8},
    {"name": "mean", "kind": "bf16", "one": 2.4},
    {"name": "c", "kind": "s8", "m": 1, "n": 1, "k": 1, "us": 1, "tflops": 1, "intensity": 1},
]
VALUES = {"rows": ROWS, "columns": [{"key": "tflops", "title": "TFLOP/s"}, {"key": "one", "title": "One & all"},
                                    {"key": "other", "title": "Other"}, {"key": "third", "title": "Third"}]}

CEILINGS = {"rows": [{"type": "bf16", "kind": "dense", "tflops": 400}, {"type": "bf16", "kind": "dense", "tflops": 500},
                     {"type": "bf16", "kind": "sparse", "tflops": 900}, {"kind": "memory", "gb_per_s": 4000}]}


def parsed(svg):
    return xml.etree.ElementTree.fromstring(svg)


def said(svg):
    """What the marks of a chart say when pointed at."""
    return [t.text for mark in parsed(svg).iter() if mark.tag.endswith(("circle", "rect")) for t in mark
            if t.tag.endswith("title") and " x " in (t.text or "")]


def places(svg):
    """Across and down, of the marks of problems."""
    root = parsed(svg)
    return {mark[0].text: (float(mark.get("cx", mark.get("x"))), float(mark.get("cy", mark.get("y"))))
            for mark in root.iter() if mark.tag.endswith(("circle", "rect")) and len(mark) and " x " in mark[0].text}


class Charts(kit.Case):
    def test_a_mark_for_each_ratio(self):
        svg = chart.ratios(VALUES, "bf16")
        self.assertEqual(said(svg), ["64 x 32 x 16: One & all 1.500", "64 x 32 x 16: Other 0.900",
                                     "128 x 32 x 16: One & all 4.000"])
        at = {text: x for text, (x, _) in places(svg).items()}
        self.assertLess(at["64 x 32 x 16: Other 0.900"], at["64 x 32 x 16: One & all 1.500"])
        self.assertLess(at["64 x 32 x 16: One & all 1.500"], at["128 x 32 x 16: One & all 4.000"])
        self.assertNotIn("Third", svg)  # took no part

    def test_rates_stand_beneath_the_roof(self):
        svg = chart.roofline(VALUES, "bf16", CEILINGS)
        self.assertEqual(len(said(svg)), 5)
        at = places(svg)
        ours, slower = at["64 x 32 x 16: Sectile 400"], at["64 x 32 x 16: One & all 267"]
        self.assertLess(ours[1], slower[1])  # pictures count downwards
        self.assertLess(at["128 x 32 x 16: Sectile 80"][0], ours[0])

    def test_ceilings_are_the_best_of_their_kind(self):
        self.assertEqual(chart.reached_alone(CEILINGS, "bf16"), (500, 4000))
        self.assertEqual(chart.reached_alone(CEILINGS, "sparse bf16"), (900, 4000))
        with self.assertRaisesRegex(kit.Problem, "does not say what s8 and memory reach alone"):
            chart.reached_alone(CEILINGS, "s8")

    def test_a_page_shows_them(self):
        self.write("docs/measured/raced.json", json.dumps(VALUES | {"title": "", "device": "", "date": "", "command": ""}))
        self.write("docs/measured/ceilings.json",
                   json.dumps(CEILINGS | {"title": "", "device": "", "date": "", "command": "", "columns": []}))
        made = self.page('{{ ratio_chart("raced", "bf16") }} {{ roofline_chart("raced", "bf16") }}')
        self.assertIn("raced.bf16.ratios.svg", made)
        self.assertIn("raced.bf16.roofline.svg", made)
        self.assertEqual(len(self.library.figures), 2)

    def test_a_type_that_nobody_raced(self):
        with self.assertRaisesRegex(kit.Problem, "no row is a problem of 'f64'"):
            chart.ratios(VALUES, "f64")


if __name__ == "__main__":
    kit.unittest.main()
