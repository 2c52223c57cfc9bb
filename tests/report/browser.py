# SPDX-License-Identifier: BSD-3-Clause
"""Debian's chromium for the checks of pages; a check ends with 77 where it is not installed."""
import json
import pathlib
import re
import shutil
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)
DRIVER = shutil.which("chromedriver")
if not DRIVER or not shutil.which("chromium"):
    print("skipped: chromium or chromium-driver is not installed")
    sys.exit(77)

WRONG = []


def check(holds, what):
    if not holds:
        WRONG.append(what)
        print("wrong:", what)


def finish():
    print("wrong: " + str(len(WRONG)) if WRONG else "all holds")
    sys.exit(1 if WRONG else 0)


class Browser:
    def __init__(self, *flags, width=1200, height=1000):
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height}", *flags):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def until(self, condition, what):
        for _ in range(200):
            if condition():
                return
            time.sleep(.02)
        check(False, f"{what} within 4 s")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script("return " + text, *arguments)

    def media(self, **what):
        features = [{"name": "prefers-color-scheme", "value": what["scheme"]}] if "scheme" in what else []
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": what.get("media", ""), "features": features})

    def size(self, width, height, mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
        time.sleep(.2)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that the pages asked for since the last call."""
        sent = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [message["params"]["request"]["url"] for message in sent if message["method"] == "Network.requestWillBeSent"]

    def picture(self, file, width=1200, mobile=False):
        self.size(width, 900, mobile)
        height = self.script("document.documentElement.scrollHeight")
        self.size(width, min(height, 3000), mobile)
        self.driver.save_screenshot(str(file))

    def contrast(self, selector, way="color"):
        """Of the colour of an element against the page, by WCAG 2."""
        one, two = self.script("[getComputedStyle(document.querySelector(arguments[0]))[arguments[1]], "
                               "getComputedStyle(document.body).backgroundColor]", selector, way)

        def luminance(colour):
            parts = [float(v) / 255 for v in re.findall(r"[\d.]+", colour)[:3]]
            linear = [v / 12.92 if v <= .03928 else ((v + .055) / 1.055) ** 2.4 for v in parts]
            return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
        low, high = sorted((luminance(one), luminance(two)))
        return (high + .05) / (low + .05)


def address(page):
    return pathlib.Path(page).as_uri()
