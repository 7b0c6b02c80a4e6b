"""What the checks of the site share: its pages, the browser, and how a check ends."""
import pathlib
import sys

SKIPPED = 77
HOUR = 3600  # seconds: longer than any answer takes


def leave_out(why):
    """Ends the check as skipped."""
    print(f"left out: {why}")
    sys.exit(SKIPPED)


def site_from_command_line():
    """The folder of the site, and its pages in order."""
    if sys.argv[2:] not in ([], ["--all"]) or len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} SITE [--all]")
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(site.rglob("*.html"))
    if not pages:
        leave_out(f"there are no pages in {site}: the site was not built")
    return site, pages


def looked_at(site, pages):
    """What a check in a browser looks at: with --all every page, else the smallest of each part of the site. The
    pages of a part are made alike, and a browser takes minutes for the largest ones."""
    if "--all" in sys.argv:
        return pages
    parts = {}
    for page in pages:
        if b"was left out</h1>" in page.read_bytes():
            continue
        parts.setdefault(page.relative_to(site).parts[:-1][:1], []).append(page)
    some = {min(of, key=lambda page: page.stat().st_size) for of in parts.values()}
    return [page for page in pages if page in some]


def finish(found, pages):
    """Prints what is wrong, a line each; the exit status says whether anything is."""
    for line in found:
        print(line)
    print(f"{len(pages)} pages, {len(found)} findings")
    sys.exit(1 if found else 0)


def browser():
    """A headless Chromium. It may take its time: how long an answer takes says more of the machine than of a page."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        leave_out("there is no selenium (Debian: python3-selenium)")
    from shutil import which
    chromium, driver = which("chromium"), which("chromedriver")
    if not chromium or not driver:
        leave_out("there is no chromium with its chromedriver (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--force-color-profile=srgb", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(service=Service(driver), options=options)
    opened.set_script_timeout(HOUR)
    opened.set_page_load_timeout(HOUR)
    show(opened)
    return opened


def show(opened, width=1280, height=900, dark=False):
    """Makes the page as wide as a screen of `width` pixels, which a window cannot be where it is narrow, and gives it a
    colour scheme."""
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
