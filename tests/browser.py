"""Open built pages in Debian's Chromium and report what a reader's browser would meet."""

import json
import shutil
import tempfile
from contextlib import contextmanager

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1280,1600",
)  # fmt: skip


def programs():
    """Chromium and its driver, or None for what is not installed."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return browser, shutil.which("chromedriver")


@contextmanager
def open_browser():
    """Start a browser with a fresh profile that logs its console and every request."""
    from selenium import webdriver

    browser, driver = programs()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        session = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
        session.set_script_timeout(30)
        try:
            yield session
        finally:
            session.quit()


# The theme declares this twice itself, and its own script resets a mode that no visitor has chosen yet.
KNOWN = ("Identifier 'THEBE_JS_URL' has already been declared", "Got invalid theme mode")

# Resolves when MathJax has typeset the page, or at once where a page loads no MathJax.
TYPESET = """
const done = arguments[arguments.length - 1];
const math = document.querySelectorAll('.math').length;
if (!math) { done(0); return; }
(function wait() {
  const ready = window.MathJax && MathJax.startup && MathJax.startup.promise;
  if (ready) { ready.then(() => done(math)); }
  else { setTimeout(wait, 50); }
})();
"""

REPORT = """
const images = [...document.images];
const broken = images.filter(i => !i.complete || i.naturalWidth === 0).map(i => i.src.slice(0, 80));
const silent = images.filter(i => !(i.alt || '').trim()).map(i => i.src.slice(0, 80));
const raw = [...document.querySelectorAll('.math')].filter(m => !m.querySelector('mjx-container'));
return {
  title: document.title,
  broken, silent,
  unrendered: raw.map(m => m.textContent.slice(0, 80)),
  errors: [...document.querySelectorAll('mjx-merror, [data-mjx-error]')].map(m => m.textContent.slice(0, 80)),
  tracebacks: [...document.querySelectorAll('.output.traceback')].map(m => m.textContent.slice(0, 80)),
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  links: [...document.querySelectorAll('main a[href$=".csv"]')].map(a => a.href),
};
"""


def visit(session, address):
    """Open one page and return its report with the console messages and the requests to other hosts."""
    session.get(address)
    session.execute_async_script(TYPESET)
    report = session.execute_script(REPORT)
    severe = [entry["message"] for entry in session.get_log("browser") if entry["level"] == "SEVERE"]
    report["console"] = [message for message in severe if not any(known in message for known in KNOWN)]
    report["outside"] = []
    for entry in session.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:", "chrome:")):
                report["outside"].append(url)
    return report
