"""Pipelines step by step: forwards and backwards, by buttons and keys, with the state of every stage and who waits."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import browser
from browser import Keys, Page, some

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "docs/explorer/script/timelines.js"


class Pipelines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.page.open("4:1")
        if cls.page.js("return document.getElementById('timelines').hidden"):
            cls.page.driver.quit()
            browser.skip("the page was built without the pipelines of the kernels")

    @classmethod
    def tearDownClass(cls):
        problems = cls.page.problems()
        cls.page.driver.quit()
        assert not problems, problems

    def step(self):
        return int(self.page.text("#step-says").split()[1])

    def state(self):
        """All that is said of a step."""
        return self.page.js("return ['step-says', 'stages', 'waits'].map((id) => document.getElementById(id).innerText)")

    def kernels(self):
        return self.page.js("return [...document.querySelectorAll('#kernel option')].map((o) => o.value)")

    def test_forwards_and_back_again(self):
        self.page.open("4:1", kernel=self.kernels()[0], step=1)
        states = [self.state()]
        for _ in range(12):
            self.page.find("#step-on").click()
            states.append(self.state())
        self.assertEqual(len({s[0] for s in states}), len(states))
        for state in reversed(states[:-1]):
            self.page.find("#step-back").click()
            self.assertEqual(self.state(), state)

    def test_keys(self):
        self.page.open("4:1", kernel=self.kernels()[1], step=3)
        self.page.js("document.getElementById('lanes').focus()")
        self.page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.step(), 6)
        self.page.press(Keys.ARROW_LEFT)
        self.assertEqual(self.step(), 5)
        self.page.press(Keys.END)
        last = self.step()
        self.page.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.step(), last)
        self.page.press(Keys.HOME)
        self.assertEqual(self.step(), 1)

    def test_ones_own_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            facts, other = pathlib.Path(folder) / "mine.json", pathlib.Path(folder) / "other.json"
            subprocess.run([browser.sectile, "tutorial", "gemm_bf16", "--facts", facts], check=True)
            other.write_text('{"name": "no kernel"}')
            self.page.open("4:1", kernel=self.kernels()[0], step=1)
            self.page.find("#own").send_keys(str(other))
            self.page.wait(lambda: self.page.text("#own-said"), "something is said of the file")
            self.assertEqual(self.page.text("#own-said"), "other.json: this is no file of a kernel's facts")
            self.page.find("#own").send_keys(str(facts))
            self.page.wait(lambda: "gemm_bf16 (mine.json)" in self.kernels(), "the kernel is there")
            self.assertEqual(self.page.text("#own-said"), "")
            steps = json.loads(facts.read_text())["timeline"]["steps"]
            self.assertIn(f"Step 1 of {len(steps)},", self.page.text("#step-says"))
            self.page.find("#step-last").click()
            self.assertEqual(self.step(), len(steps))

    def test_zoom(self):
        self.page.open("4:1", kernel=self.kernels()[0], step=5)
        width = "return Number(document.querySelector('#lanes svg:last-child').getAttribute('width'))"
        said, narrow = self.state(), self.page.js(width)
        self.page.js("const z = document.getElementById('zoom'); z.value = 2; z.dispatchEvent(new Event('input'))")
        self.assertEqual(self.page.js(width) - 20, 4 * (narrow - 20))
        self.assertEqual(self.state(), said)
        self.assertEqual(self.page.overflow(), 0)

    def test_play(self):
        self.page.open("4:1", kernel=self.kernels()[0], step=1)
        self.page.find("#play").click()
        self.page.wait(lambda: self.step() > 3, "it plays")
        self.page.find("#play").click()
        stopped = self.step()
        self.assertEqual(self.page.text("#play"), "Play")
        self.page.driver.implicitly_wait(0)
        self.page.js("return new Promise((done) => setTimeout(done, 700))")
        self.assertEqual(self.step(), stopped)

    def test_every_step_of_every_kernel(self):
        for kernel in some(self.kernels()):
            self.page.open("4:1", kernel=kernel, step=1)
            count = int(self.page.find("#step").get_attribute("max")) + 1
            odd = self.page.js("""
                const range = document.getElementById('step'), found = [];
                const allowed = {empty: ['filling'], filling: ['full'], full: ['reading'], reading: ['empty', 'filling']};
                let before = null;
                for (let i = 0; i < arguments[0]; ++i) {
                  range.value = i;
                  range.dispatchEvent(new Event('input', {bubbles: true}));
                  const now = [...document.querySelectorAll('#stages li b')].map((b) => b.textContent);
                  if (!document.getElementById('step-says').textContent.includes(`Step ${i + 1} of ${arguments[0]}`)) found.push(i);
                  if (before) now.forEach((state, s) => { if (state !== before[s] && !allowed[before[s]].includes(state)) found.push(`${i}: ${before[s]} to ${state}`); });
                  before = now;
                }
                return found;""", count)
            self.assertEqual(odd, [], kernel)
        self.page.js("document.getElementById('timelines').scrollIntoView()")
        self.page.screenshot("pipeline")

    def test_nobody_waits_for_two_things_at_once(self):
        somebody = False
        for kernel in some(self.kernels()):
            self.page.open("4:1", kernel=kernel, step=1)
            seen = self.page.js("""
                const range = document.getElementById('step'), found = [];
                for (let i = 0; i <= Number(range.max); ++i) {
                  range.value = i;
                  range.dispatchEvent(new Event('input', {bubbles: true}));
                  found.push([...document.querySelectorAll('#waits li')].map((li) => li.textContent));
                }
                return found;""")
            for step, waits in enumerate(seen):
                who = [text.split(" waits")[0] for text in waits if " waits" in text]
                somebody = somebody or bool(who)
                self.assertEqual(len(who), len(set(who)), f"{kernel}, step {step + 1}: {waits}")
        self.assertTrue(somebody)

    def test_a_wait_that_ends_as_the_next_begins(self):
        """In one cycle, and in either order, and one that never ends."""
        functions = SCRIPT.read_text(encoding="utf-8").split("class Timelines")[0]
        seen = self.page.js(functions + """
            const events = [{lane: 0, waits: true}, {lane: 0, waits: true}, {lane: 1, waits: false}, {lane: 1, waits: true}];
            const steps = (...of) => of.map(([event, what]) => ({event, what, at: 7}));
            const orders = [
              steps([0, 'begins'], [2, 'happens'], [0, 'ends'], [1, 'begins'], [3, 'begins'], [1, 'ends']),
              steps([0, 'begins'], [2, 'happens'], [1, 'begins'], [0, 'ends'], [3, 'begins'], [1, 'ends'])];
            return orders.map((order) => order.map((_, i) => going_on(spans_of({events, steps: order}), events, i)));""")
        self.assertEqual(seen, [[[0], [0, 2], [], [1], [1, 3], [3]], [[0], [0, 2], [1], [1], [1, 3], [3]]])

    def test_somebody_waits(self):
        self.page.open("4:1", kernel="ladder_stages", step=1)
        for _ in range(60):
            if "waits" in self.page.text("#waits"):
                break
            self.page.find("#step-on").click()
        self.assertIn("waits", self.page.text("#waits"))
        self.assertIn("Stages of", self.page.text("#stages"))


if __name__ == "__main__":
    browser.run()
