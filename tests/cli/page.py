#!/usr/bin/env python3
"""The page of `matchpoint draw -o x.html` in a browser without a screen."""

import json
import re
import tempfile
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from draw import HOSTILE, hostile, huge
from support import HOLDS, run

FIGURE1 = "traces/figure1.ctp"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--window-size=1300,800", f"--user-data-dir={cls.folder.name}/profile"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
        cls.browser = webdriver.Chrome(service=service, options=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertEqual([entry for entry in self.browser.get_log("browser")], [])

    def drawn(self, path, *options):
        out = Path(self.folder.name) / "page.html"
        self.assertEqual(run("draw", path, "-o", out, *options).code, HOLDS)
        return out

    def open(self, page, fragment=""):
        self.browser.get("about:blank")  # else only the fragment would change
        self.browser.get(f"file://{page}{fragment}")

    def write(self, text):
        path = Path(self.folder.name) / "program.ctp"
        path.write_text(text)
        return path

    def id(self, name):
        return self.browser.find_element(By.ID, name)

    def press(self, *keys):
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def step(self):
        at, of = re.fullmatch(r"step (\d+) of (\d+)", self.id("where").text).groups()
        self.assertEqual(self.id("slider").get_attribute("value"), at)
        return int(at)

    def part(self, name, pane=0):
        """The entries of a part of the state, as they are shown."""
        return self.browser.execute_script(
            "const pane = document.querySelectorAll('.pane')[arguments[1]];"
            "const part = [...pane.querySelectorAll('[data-part]')].find((e) => e.dataset.part === arguments[0]);"
            "return part ? [...part.querySelectorAll('.item')].map((e) => e.textContent) : null;", name, pane)

    def rules(self):
        return [e.text for e in self.browser.find_elements(By.CSS_SELECTOR, ".rules b")]

    def test_keys(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        self.assertEqual(self.step(), 0)
        for key, wanted in (("j", 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_DOWN, 3), ("k", 2), (Keys.ARROW_LEFT, 1),
                            (Keys.ARROW_UP, 0), ("k", 0), (Keys.END, 16), ("j", 16), (Keys.HOME, 0), ("jjj", 3)):
            self.press(key)
            self.assertEqual(self.step(), wanted, key)
        self.press("?")
        self.assertTrue(self.id("help").is_displayed())
        self.press("j")
        self.press(Keys.ESCAPE)
        self.assertFalse(self.id("help").is_displayed())
        self.assertEqual(self.step(), 3)

    def test_slider_and_buttons(self):
        self.open(self.drawn(FIGURE1, "--trace", "2"))
        for button, wanted in (("forth", 1), ("forth", 2), ("back", 1), ("last", 16), ("first", 0)):
            self.id(button).click()
            self.assertEqual(self.step(), wanted)
        self.browser.execute_script("const s = document.getElementById('slider'); s.value = 10;"
                                    "s.dispatchEvent(new Event('input'));")
        self.assertEqual(self.step(), 10)
        # With the focus in the slider a key is one step, not two.
        self.id("slider").click()
        at = self.step()
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.step(), at + 1)
        self.browser.find_element(By.CSS_SELECTOR, "svg g.row circle").click()
        self.assertEqual(self.step(), 1)

    def test_state(self):
        self.open(self.drawn(FIGURE1), "#trace=2&step=10")
        self.assertEqual(self.step(), 10)
        self.assertEqual(self.rules(), ["PROCESS QUEUE MOVEMENT", "WAIT (RCVI) COMMAND", "MACHINE STEP"])
        self.assertEqual(self.part("h"), ["A = 1", "C = 7"])
        self.assertEqual(self.part("matches"), ["R2 = S5", "R3 = S6"])
        self.assertEqual(self.part("A"), ["S4: 2"])
        self.assertEqual(self.part("Pnd_s(0)(2)"), ["[S4 4]"])
        self.press("k")
        self.assertEqual(self.part("h"), ["C = 7"])
        self.assertEqual(self.part("Pnd_r(0)"), ["[R2 A]"])
        self.assertEqual(self.part("Pnd_s(0)(1)"), None if self.part("Pnd_s(0)(1)") is None else ["[S5 1]"])
        self.press(Keys.END)
        self.assertEqual(self.browser.find_element(By.CSS_SELECTOR, ".status").text, "failure")
        self.assertEqual(self.browser.find_element(By.CSS_SELECTOR, ".why").text, "a = 1")

    def test_ends_of_runs(self):
        """Store, matches and status at the end are those of `run`, and going back leads to the initial state."""
        for path in ("traces/marking_waits_out_of_order.ctp", "traces/get_mark_remove.ctp", "traces/figure11.ctp",
                     "traces/stuck_second_message_without_partner.ctp", "traces/stuck_unknown_location.ctp",
                     "traces/stuck_trace_used_up.ctp", "traces/movement_half_done.ctp"):
            for trace in json.loads(run("run", path, "--format", "json").text)["traces"]:
                self.open(self.drawn(path), f"#trace={trace['trace']}&step=100000")
                text = lambda v: str(v).lower() if isinstance(v, bool) else str(v)
                self.assertEqual(self.part("h"), sorted(f"{x} = {text(v)}" for x, v in trace["store"].items()))
                self.assertEqual(self.part("matches"), sorted(f"{m['receive']} = {m['send']}" for m in trace["matches"]))
                self.assertEqual(self.browser.find_element(By.CSS_SELECTOR, ".status").text, trace["status"])
                if trace["error"]:
                    self.assertEqual(self.rules()[-1], trace["error"]["rule"])
                    self.assertIn(trace["error"]["message"], self.browser.find_element(By.CSS_SELECTOR, ".why").text)
                self.press(Keys.HOME)
                self.assertEqual((self.part("h"), self.part("matches"), self.part("A")), ([], [], []))

    def test_search(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        self.press("/")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "search")
        self.press("WAIT (rcvi)", Keys.ENTER)
        self.assertEqual((self.step(), self.id("found").text), (6, "1 of 3"))
        for key, wanted in (("n", 10), ("n", 13), ("n", 6), ("N", 13), ("N", 10)):
            self.press(key)
            self.assertEqual(self.step(), wanted)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "svg g.found text.gutter")), 3)
        self.press("/", "no such thing", Keys.ENTER)
        self.assertEqual((self.step(), self.id("found").text), (10, "no match"))
        self.press("n")
        self.assertEqual(self.step(), 10)

    def test_many_keys(self):
        """Numbers in names are in the order of numbers, and of many entries the last ones are shown."""
        path = self.write(huge(334))
        self.open(self.drawn(path), "#step=60")
        self.assertEqual(self.part("matches"), [f"R{i} = S{i}" for i in range(10)])
        path = self.write(huge(1_200))
        self.open(self.drawn(path), "#step=100000")
        self.assertEqual(self.part("matches"), [f"R{i} = S{i}" for i in range(800, 1_200)])

    def test_address(self):
        page = self.drawn(FIGURE1)
        self.open(page, "#step=12")
        self.assertEqual(self.step(), 12)
        self.press("j")
        time.sleep(0.3)
        self.assertTrue(self.browser.current_url.endswith("#trace=1&step=13"))
        self.browser.execute_script("location.hash = '#step=4'")
        time.sleep(0.2)
        self.assertEqual(self.step(), 4)
        for odd in ("#step=99", "#step=-5", "#step=x", "#trace=7&with=1&step=", "#<img>"):
            self.open(page, odd)
            self.assertIn(self.step(), (0, 16))

    def test_side_by_side(self):
        self.open(self.drawn(FIGURE1), "#step=13")
        self.assertEqual(len(self.browser.find_elements(By.CLASS_NAME, "pane")), 1)
        Select(self.id("with")).select_by_visible_text("2: failure")
        self.assertEqual(len(self.browser.find_elements(By.CLASS_NAME, "pane")), 2)
        self.assertEqual(self.id("differences").text.split("\n"),
                         ["First difference, entry 2: 02 rcvi R2 0 A | 26 sndi S6 2 1 7", "Status: success | failure",
                          "Matches at the end: R2 = S4 | S5, R5 = S5 | S4",
                          "Store at the end: A = 4 | 1, B = 1 | 4, a = 4 | 1, b = 1 | 4"])
        self.assertEqual(self.step(), 13)
        self.assertEqual((self.part("h", 0), self.part("h", 1)),
                         (["A = 4", "B = 1", "C = 7", "a = 4"], ["A = 1", "B = 4", "C = 7", "a = 1"]))
        differ = [e.text for e in self.browser.find_elements(By.CSS_SELECTOR, ".differs")]
        self.assertIn("a = 4", differ)
        self.assertNotIn("C = 7", differ)
        self.press("jjj")
        self.assertEqual([e.text for e in self.browser.find_elements(By.CSS_SELECTOR, ".status.differs")],
                         ["success", "failure"])
        time.sleep(0.3)
        self.assertTrue(self.browser.current_url.endswith("#trace=1&with=2&step=16"))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".fork")), 2)

    def test_hostile_names(self):
        self.open(self.drawn(self.write(hostile())), "#step=1")
        text = "".join(self.browser.find_element(By.TAG_NAME, "body").get_attribute("textContent"))
        self.assertIn("</script><script>x", text)
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "img")), 0)
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "script")), 2)
        self.press(Keys.END)
        self.assertIn(f"x{HOSTILE[1]} = 1", self.part("h"))
        self.assertIn(f"R{HOSTILE[0]} = S{HOSTILE[0]}".replace("R<", "R0<").replace("S<", "S0<"), self.part("matches"))

    def test_needs_nothing_else(self):
        text = self.drawn(FIGURE1).read_text()
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"']*", text), [])
        self.open(self.folder.name + "/page.html")
        self.assertEqual(self.browser.execute_script("return performance.getEntriesByType('resource').length"), 0)

    def test_names_for_readers(self):
        """Whatever takes the focus has a name."""
        self.open(self.drawn(FIGURE1), "#trace=1&with=2")
        for element in self.browser.find_elements(By.CSS_SELECTOR, "button, input, select, [tabindex]"):
            if element.is_displayed():
                self.assertTrue(element.accessible_name, element.get_attribute("outerHTML"))

    def test_large(self):
        """2,000 commands: how long they take is printed (docs/drawing.md); here they only have to be bearable."""
        page = self.drawn(self.write(huge(334)))
        start = time.monotonic()
        self.open(page, "#step=1000")
        self.assertEqual(self.step(), 1000)
        opening = time.monotonic() - start
        self.assertLess(opening, 20)
        milliseconds = self.browser.execute_script("""
            const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            const start = performance.now();
            for (let i = 0; i < 200; ++i) { press(i % 3 ? "j" : "k"); document.body.offsetHeight; }
            return (performance.now() - start) / 200;""")
        self.assertLess(milliseconds, 500)
        print(f"2,000 commands: opened in {opening:.2f} s, a step in {milliseconds:.1f} ms")
        self.press(Keys.END)
        self.assertEqual(self.step(), 2004)
        self.assertEqual(self.part("h"), ["x = 333", "y = 333"])
        self.assertLess(len(self.browser.find_elements(By.CSS_SELECTOR, "svg *")), 2000)


if __name__ == "__main__":
    unittest.main()
