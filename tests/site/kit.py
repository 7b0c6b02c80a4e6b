"""What the checks of the site share: its pages, the browser, and how a check ends."""
import pathlib
import sys

SKIPPED = 77


def leave_out(why):
    """Ends the check as skipped."""
    print(f"left out: {why}")
    sys.exit(SKIPPED)


def site_from_command_line():
    """The folder of the site, and its pages in order."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} SITE")
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(site.rglob("*.html"))
    if not pages:
        leave_out(f"there are no pages in {site}: the site was not built")
    return site, pages


def one_of_a_kind(site, pages):
    """All pages that somebody wrote, and some of those that one template makes of many subjects: listings of source
    files, and pages of kernels."""
    def of(folder):
        return [page for page in pages if page.relative_to(site).parts[0] == folder]
    listings, kernels = of("source"), of("kernels")
    some = set(listings[:3] + kernels[::6])
    return [page for page in pages if page in some or page not in listings and page not in kernels]


def finish(found, pages):
    """Prints what is wrong, a line each; the exit status says whether anything is."""
    for line in found:
        print(line)
    print(f"{len(pages)} pages, {len(found)} findings")
    sys.exit(1 if found else 0)


def browser(width=1280, height=900, dark=False):
    """A headless Chromium whose window and colour scheme are as asked for."""
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
    resize(opened, width, height)
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    return opened


def resize(opened, width, height):
    """Makes the page as wide as a screen of `width` pixels; a window cannot be that narrow."""
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
