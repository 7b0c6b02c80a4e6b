"""The explorer in headless Chromium, as a test drives it: pointing, typing, reading what it shows.

A test file is a program: `python3 views.py PAGE SECTILE SCREENSHOTS`. Where the browser or its driver is missing it says so
and exits with 77, which ctest counts as skipped."""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest
import urllib.parse

SKIPPED = 77
page_file = sectile = screenshots = None


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    skip("python3-selenium is not installed")


def run(given=sys.argv):
    """Runs the tests of the program that was started."""
    global page_file, sectile, screenshots
    if len(given) != 4:
        sys.exit("usage: python3 TEST.py PAGE SECTILE SCREENSHOTS")
    page_file, sectile, screenshots = pathlib.Path(given[1]), given[2], pathlib.Path(given[3])
    if not page_file.is_file():
        skip(f"there is no {page_file}: the explorer was left out of the build")
    if not chromium() or not shutil.which("chromedriver"):
        skip("chromium or chromedriver is not installed")
    screenshots.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=given[:1], verbosity=2)


def some(of, count=2):
    """What a test goes through: with SECTILE_EXHAUSTIVE all, else so many, the first and the last among them. A page takes a
    browser a second."""
    of = list(of)
    if "SECTILE_EXHAUSTIVE" in os.environ or len(of) <= count:
        return of
    return [of[k * (len(of) - 1) // max(count - 1, 1)] for k in range(count)]


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def evaluated(expression):
    """What the tool makes of an expression."""
    done = subprocess.run([sectile, "evaluate", expression], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{expression}: {done.stderr}")
    return done.stdout.strip()


def refused(expression):
    """What the tool says against an expression, without who says it."""
    done = subprocess.run([sectile, "evaluate", expression], capture_output=True, text=True, check=False)
    assert done.returncode == 2, f"{expression} has a value: {done.stdout}"
    return done.stderr.removeprefix("sectile: ").removeprefix("evaluate: ").rstrip("\n")


class Page:
    """The page, opened in a window of so many pixels."""

    def __init__(self, width=1400, height=1000, theme="light", phone=False, reduced=True):
        options = Options()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.binary_location = chromium()
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone})
        if phone:
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        features = [{"name": "prefers-color-scheme", "value": theme}]
        if reduced:
            features.append({"name": "prefers-reduced-motion", "value": "reduce"})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, expression=None, **state):
        """Opens the page with an expression and state in its address."""
        parts = [urllib.parse.quote(expression, safe="")] if expression is not None else []
        parts += [f"{name}={urllib.parse.quote(str(value), safe='')}" for name, value in state.items()]
        self.driver.get("about:blank")
        self.driver.get(page_file.resolve().as_uri() + ("#" + "&".join(parts) if parts else ""))
        self.wait(lambda: self.js("return document.documentElement.dataset.ready") == "true", "the page is ready")
        return self

    def js(self, code, *values):
        return self.driver.execute_script(code, *values)

    def wait(self, condition, what, seconds=3600):
        """Until the condition holds. A busy machine takes long, but not as long as that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        raise AssertionError(f"after {seconds} s it is still not so that {what}; the browser says {self.problems()}")

    def problems(self):
        """What the browser complained about."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def text(self, selector):
        return self.find(selector).text

    def type(self, expression):
        """Types an expression, key by key."""
        field = self.find("#expression")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(expression or Keys.DELETE)

    def set(self, expression):
        """Puts an expression into its field at once."""
        self.js("const f = document.getElementById('expression'); f.value = arguments[0];"
                "f.dispatchEvent(new Event('input', {bubbles: true}));", expression)

    def choose(self, control, value):
        self.js("return [...document.getElementById(arguments[0]).options].find((o) => o.value === arguments[1])", control, value).click()

    def said(self):
        return self.text("#said")

    def views(self):
        """The names of the views that are shown."""
        return self.js("return [...document.querySelectorAll('#desk .view:not([hidden])')].map((v) => v.dataset.view)")

    def facts(self):
        """What is said of the element that is lit."""
        return self.js("return Object.fromEntries([...document.querySelectorAll('#element .element')].map((e) =>"
                       "[e.dataset.fact, e.querySelector('dd').firstChild.textContent]))")

    def lit(self):
        """{view: [row, column, label]} of the cell that is marked in each view."""
        return self.js("return Object.fromEntries([...document.querySelectorAll('#desk .view:not([hidden])')].flatMap((v) => {"
                       "const m = v.querySelector('.marker'); return m.hidden ? [] :"
                       "[[v.dataset.view, [Number(m.dataset.row), Number(m.dataset.column), m.dataset.label]]]; }))")

    def point(self, view, row, column, click=False):
        """Moves the mouse over a cell of the window of a view."""
        body = self.find(f'.view[data-view="{view}"] .body')
        grid = self.js("const b = arguments[0], s = b.querySelector('svg'), c = b.querySelector('.cursor');"
                       "return [parseFloat(c.style.width), parseFloat(c.style.height)]", body)
        x, y = (column + 0.4) * grid[0], (row + 0.4) * grid[1]
        self.js("const [b, x, y] = arguments, box = b.closest('.sheet');"
                "b.closest('.view').scrollIntoView({block: 'center'});"
                "box.scrollLeft = Math.max(0, x - box.clientWidth / 2); box.scrollTop = Math.max(0, y - box.clientHeight / 2);", body, x, y)
        self.js("const [b, y] = arguments, at = b.getBoundingClientRect().top + y; window.scrollBy(0, at - innerHeight / 2)", body, y)
        self.js("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")  # scrolled, drawn
        at = self.js("const r = arguments[0].getBoundingClientRect(); return [r.left + arguments[1], r.top + arguments[2]]", body, x, y)
        for kind in ["mouseMoved"] + (["mousePressed", "mouseReleased"] if click else []):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": at[0], "y": at[1], "button": "left" if kind != "mouseMoved" else "none",
                "clickCount": 0 if kind == "mouseMoved" else 1})

        self.mouse = at

    def marker_is_under_the_mouse(self, view):
        """Whether the mark of a view is around what was pointed at last."""
        return self.js("const r = document.querySelector(arguments[0]).getBoundingClientRect(), [x, y] = arguments[1];"
                       "return r.left <= x && x < r.right && r.top <= y && y < r.bottom && r.width < 80 && r.height < 40",
                       f'.view[data-view="{view}"] .marker', self.mouse)

    def point_away(self):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 2, "y": 2, "button": "none"})

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def press_with_control(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def focused(self):
        """What has the focus: its id, or its class."""
        return self.js("const e = document.activeElement; return e.id || e.className || e.tagName")

    def overflow(self):
        """Pixels by which the page is wider than its window."""
        return self.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def spent(self):
        """Milliseconds of a processor that the page has spent so far in its program and in laying itself out."""
        self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        known = {m["name"]: m["value"] for m in self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        return 1000 * (known["ScriptDuration"] + known["LayoutDuration"] + known["RecalcStyleDuration"])

    def screenshot(self, name, full=False):
        """Keeps a picture of the window, or of the whole page."""
        self.driver.execute_cdp_cmd("Page.bringToFront", {})
        what = {"format": "png", "captureBeyondViewport": full}
        if full:
            size = self.js("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
            what["clip"] = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        import base64
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", what)["data"]
        (screenshots / f"explorer-{name}.png").write_bytes(base64.b64decode(data))


class OnPage(unittest.TestCase):
    """Tests of one page, which at the end has said nothing of problems."""

    @classmethod
    def setUpClass(cls):
        cls.page = Page()

    @classmethod
    def tearDownClass(cls):
        problems = cls.page.problems()
        cls.page.driver.quit()
        assert not problems, problems
