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

from draw import HOSTILE, hostile, huge, many_threads
from recorded import RECORDED
from support import HOLDS, run, within

FIGURE1 = "traces/figure1.ctp"
ACCOUNT = "traces/shared_memory/account.ctp"


class Browser(unittest.TestCase):
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


class Page(Browser):
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

    def test_empty_runs(self):
        program = self.write("(([a (x := 1)] bot)) ()\n")
        for path, status in (("traces/syntax_empty_program.ctp", "success"), (program, "error")):
            self.open(self.drawn(path))
            self.press("j", "f", "t")
            self.press(Keys.ESCAPE, Keys.END)
            self.assertEqual(self.browser.find_element(By.CLASS_NAME, "status").text, status)

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
                          "Store at the end: A = 4 | 1, B = 1 | 4, a = 4 | 1, b = 1 | 4",
                          "≠ the runs differ first here, or the receive gets another message than in the other run; its arrow is thick"])
        marked = lambda pane: self.browser.execute_script(
            "const pane = document.querySelectorAll('.pane')[arguments[0]];"
            "return [...pane.querySelectorAll('svg .mark')].map((e) => e.nextSibling.textContent.trim().split(/ +/)[0])", pane)
        self.assertEqual((marked(0), marked(1)), (["2", "3", "12"], ["2", "9", "12"]))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "svg path.message.differs")), 4)
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

    def test_beside(self):
        """A page that --beside made begins with both."""
        self.open(self.drawn(FIGURE1, "--trace", "2", "--beside", "1"))
        self.assertEqual(len(self.browser.find_elements(By.CLASS_NAME, "pane")), 2)
        self.assertTrue(self.id("differences").text.startswith("First difference, entry 2: 26 "))

    def test_hostile_names(self):
        self.open(self.drawn(self.write(hostile())), "#step=1")
        text = "".join(self.browser.find_element(By.TAG_NAME, "body").get_attribute("textContent"))
        self.assertIn("</script><script>x", text)
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "img")), 0)
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "script")), 2)
        self.assertEqual(self.browser.execute_script(
            "return [...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((a) => a.startsWith('on'))"), [])
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


class View(Browser):
    """What is shown of many threads and of long runs."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        program = Path(cls.folder.name) / "many.ctp"
        program.write_text(many_threads(64, 500))
        cls.many = Path(cls.folder.name) / "many.html"
        assert run("draw", program, "-o", cls.many).code == HOLDS

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def heads(self):
        """The names of the lanes whose heads can be seen, from left to right."""
        return self.js("return [...document.querySelectorAll('.lanes button')].filter((e) => e.style.visibility !== 'hidden')"
                       ".sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left).map((e) => e.ariaLabel)")

    def shown_rows(self):
        return self.js("return [...document.querySelectorAll('svg [data-row]')].map((e) => Number(e.dataset.row))")

    def spec(self):
        time.sleep(0.2)
        return dict(part.split("=", 1) for part in self.browser.current_url.partition("#")[2].split("&")).get("lanes")

    def test_follows_the_acting_thread(self):
        self.open(self.many)
        for step in (1, 2, 3, 500, 1203, 1999, 7):
            self.js("location.hash = `#step=${arguments[0]}`", step)
            here = f"return document.querySelector('svg .row.here[data-row=\"{step - 1}\"] circle') !== null"
            self.assertTrue(within(20, lambda: self.js(here)), step)
            mark, view = self.js("""
                const view = document.querySelector('.view').getBoundingClientRect(), gutter = document.querySelector('svg .cover');
                const mark = document.querySelector('svg .row.here circle').getBoundingClientRect();
                return [[mark.left, mark.right, mark.top, mark.bottom],
                        [gutter.getBoundingClientRect().right, view.right, view.top + 28, view.bottom]];""")
            self.assertTrue(view[0] <= mark[0] and mark[1] <= view[1], (step, mark, view))
            self.assertTrue(view[2] <= mark[2] and mark[3] <= view[3], (step, mark, view))
            acting = self.js("return document.querySelector('.lanes .acting').ariaLabel")
            self.assertIn(acting, self.heads())
            self.assertIn(f"{acting}:", self.js("return document.querySelector('svg .row.here title').textContent"))
        left = "return document.querySelector('.view').scrollLeft"
        self.press("a")
        at = self.js(left)
        for _ in range(12):
            self.press("j")
            self.assertEqual(self.js(left), at)

    def test_only_what_is_seen_is_drawn(self):
        self.open(self.many, "#step=1000")
        self.assertLess(len(self.shown_rows()), 80)
        self.assertIn(999, self.shown_rows())
        self.assertLess(self.js("return document.querySelectorAll('svg *').length"), 1000)

    def test_hide(self):
        self.open(self.many, "#lanes=0-9&step=0")
        self.assertTrue(set(self.heads()) <= {f"thread {t}" for t in range(10)})
        self.assertEqual(self.id("threads").text, "threads (54 hidden)")
        visited = []
        for _ in range(8):
            self.press("j")
            visited.append(self.step())
        threads = [int(re.search(r"thread (\d+)", self.browser.execute_script(
            "return [...document.querySelectorAll('svg [data-row] title')].find((e) => e.textContent.startsWith(`entry ${arguments[0]},`))"
            ".textContent", step - 1))[1]) for step in visited]
        self.assertLessEqual(set(threads), set(range(10)))
        self.assertEqual(visited, sorted(set(visited)))
        self.assertGreater(visited[-1], 8)  # some steps were of hidden threads
        self.press("kkkkkkkk")
        self.assertEqual(self.step(), visited[0] if self.step() else 0)
        # A step of a hidden thread has a mark between the rows.
        self.js("location.hash = '#lanes=0-9&step=100'")
        time.sleep(0.1)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "svg .hidden, svg .here .gutter")), 1)
        stubs = self.js("return [...document.querySelectorAll('svg .name.stub')].map((e) => e.textContent)")
        self.assertTrue(stubs)
        for text in stubs:
            self.assertRegex(text, r"S\d+ = \d+ (to|from) thread ([1-5]\d|6[0-3])$")

    def menu(self, lane, entry):
        self.browser.find_element(By.CSS_SELECTOR, f'.lanes button[data-lane="{lane}"]').click()
        self.browser.find_element(By.XPATH, f'//div[@id="menu"]/button[starts-with(., "{entry}")]').click()

    def test_menu_of_a_lane(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        self.assertEqual(self.heads(), ["thread 0", "thread 1", "thread 2"])
        self.menu(0, "move right")
        self.assertEqual((self.heads(), self.spec()), (["thread 1", "thread 0", "thread 2"], "1,0,2"))
        self.menu(2, "hide")
        self.assertEqual((self.heads(), self.spec()), (["thread 1", "thread 0"], "1,0"))
        self.assertEqual(sorted(self.shown_rows()), list(range(4, 16)))
        self.menu(0, "show all")
        self.assertEqual((self.heads(), self.spec()), (["thread 0", "thread 1", "thread 2"], None))
        self.menu(0, "collapse threads 0-1")
        self.assertEqual((self.heads(), self.spec()), (["threads 0-1", "thread 2"], "(0-1),2"))
        texts = self.js("return [...document.querySelectorAll('svg [data-row] > text')].map((e) => e.firstChild.data)")
        self.assertIn("1: rcvi R3 1 C", texts)
        self.assertIn("0: rcvi R2 0 A", texts)
        self.menu(0, "expand")
        self.assertEqual(self.heads(), ["thread 0", "thread 1", "thread 2"])
        self.menu(2, "only this and its partners")
        self.assertEqual(self.spec(), None)  # all are
        self.press(Keys.ESCAPE)

    def test_menu_by_keys(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        self.browser.find_element(By.CSS_SELECTOR, '.lanes button[data-lane="1"]').send_keys(Keys.ENTER)
        self.assertTrue(self.id("menu").is_displayed())
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        self.assertEqual(self.heads(), ["thread 0", "thread 2"])
        self.assertEqual(self.step(), 0)  # keys in the menu do not step
        self.browser.find_element(By.CSS_SELECTOR, '.lanes button[data-lane="0"]').send_keys(Keys.ALT, Keys.ARROW_RIGHT)
        self.assertEqual(self.heads(), ["thread 2", "thread 0"])

    def test_drag_a_lane(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        first, last = (self.browser.find_element(By.CSS_SELECTOR, f'.lanes button[data-lane="{lane}"]') for lane in (0, 2))
        webdriver.ActionChains(self.browser).drag_and_drop(first, last).perform()
        self.assertEqual(self.heads(), ["thread 1", "thread 2", "thread 0"])

    def test_threads_dialog(self):
        self.open(self.many)
        self.press("t")
        self.id("group").clear()
        self.id("group").send_keys("16")
        self.id("collapse").click()
        self.assertEqual(self.heads(), ["threads 0-15", "threads 16-31", "threads 32-47", "threads 48-63"])
        self.assertEqual(self.id("lanes").get_attribute("value"), "(0-15),(16-31),(32-47),(48-63)")
        for text, heads in (("3,0-1,(8-9)", ["thread 3", "thread 0", "thread 1", "threads 8-9"]),
                            (" ( 60 , 62-63 ) , 5", ["threads 60,62-63", "thread 5"])):
            self.id("lanes").clear()
            self.id("lanes").send_keys(text, Keys.ENTER)
            self.assertEqual((self.heads(), self.id("lanes-wrong").text), (heads, ""))
        for wrong in ("64", "1,1", "3-2", "(1", "1,,2", "x", "", "1 2 (", "(1),(1)", "1-99999999"):
            self.id("lanes").clear()
            self.id("lanes").send_keys(wrong, Keys.ENTER)
            self.js("document.getElementById('lanes').dispatchEvent(new Event('change'))")
            if wrong != "1 2 (":
                self.assertIn("Write each thread once", self.id("lanes-wrong").text, wrong)
            self.assertEqual(self.heads(), ["threads 60,62-63", "thread 5"], wrong)
        self.id("show-all").click()
        self.assertEqual(self.id("lanes").get_attribute("value"), "0-63")

    def test_zoom_and_fit(self):
        self.open(self.many, "#step=300")
        width = lambda: self.js("return document.querySelector('.sheet').getBoundingClientRect().width")
        height = lambda: self.js("return document.querySelector('.sheet').getBoundingClientRect().height")
        whole, tall = width(), height()
        view = self.js("return document.querySelector('.view').clientWidth")
        self.assertGreater(whole, 3 * view)
        self.press("f")
        self.assertLessEqual(width(), view)
        self.assertEqual(len(self.heads()), 64)
        self.press("f")
        self.assertEqual(width(), whole)
        self.press("-")
        self.assertEqual(self.id("zoom").text, "80%")
        self.assertAlmostEqual(height(), 0.8 * tall, delta=2)
        self.assertIn(299, self.shown_rows())
        self.press("0")
        self.assertEqual((self.id("zoom").text, height()), ("100%", tall))

    def test_filters(self):
        self.open(self.drawn(FIGURE1), "#trace=2&step=10")
        self.assertEqual(self.part("h"), ["A = 1", "C = 7"])
        self.press("c")
        self.assertEqual((self.part("h"), self.part("matches"), self.part("A")), (["A = 1"], ["R2 = S5"], []))
        self.assertIsNone(self.part("Pnd_s(0)(2)"))
        self.press("c")
        Select(self.id("of-thread")).select_by_value("1")
        self.assertEqual((self.part("h"), self.part("matches")), (["C = 7"], ["R2 = S5", "R3 = S6"]))
        Select(self.id("of-thread")).select_by_value("acting")
        self.assertEqual((self.part("h"), self.part("matches")), (["A = 1"], ["R2 = S5"]))
        Select(self.id("of-thread")).select_by_value("2")
        self.assertEqual((self.part("h"), self.part("matches"), self.part("A")), ([], ["R3 = S6"], ["S4: 2"]))
        self.assertEqual(self.part("Pnd_s(0)(2)"), ["[S4 4]"])
        self.assertIsNone(self.part("Pnd_s(0)(1)"))
        Select(self.id("of-thread")).select_by_value("")
        self.id("name").send_keys("r2")
        self.assertEqual((self.part("h"), self.part("matches")), ([], ["R2 = S5"]))
        self.id("name").clear()
        self.id("name").send_keys("s4 4")
        self.assertEqual((self.part("Pnd_s(0)(2)"), self.part("matches")), (["[S4 4]"], []))

    def test_names_on_arrows(self):
        self.open(self.drawn(FIGURE1), "#trace=2&step=16")
        names = lambda: sorted(self.js("return [...document.querySelectorAll('svg .name')].map((e) => e.textContent)"))
        self.assertEqual(names(), ["S4 = 4", "S5 = 1", "S6 = 7"])
        self.press("m")
        self.assertEqual(names(), [])

    def test_texts_keep_off(self):
        """No text of a row, and no name, lies on the head of an arrow or on another text."""
        for page, fragment in ((self.drawn(FIGURE1), "#trace=2&step=16"), (self.many, "#step=1000"), (self.many, "#lanes=(0-31),32-40&step=900")):
            self.open(page, fragment)
            texts, heads = self.js("""
                const box = (e) => { const b = e.getBoundingClientRect(); return [b.left, b.right, b.top + 3, b.bottom - 3, e.textContent]; };
                const texts = [...document.querySelectorAll('svg [data-row] > text:not(.away)'), ...document.querySelectorAll('svg .name')];
                const heads = [...document.querySelectorAll('svg .message[marker-end]:not(.kept)')].map((path) => {
                  const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM());
                  return [end.x - 4, end.x + 4, end.y - 2, end.y + 2];
                });
                return [texts.map(box), heads];""")
            self.assertGreater(len(texts), 10)
            self.assertTrue(heads)
            meet = lambda a, b: a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
            for i, text in enumerate(texts):
                for other in heads + texts[:i]:
                    self.assertFalse(meet(text, other), (text, other))

    def test_values(self):
        """What a row stores follows its text."""
        self.open(self.drawn(FIGURE1), "#trace=2")
        values = self.js("return [...document.querySelectorAll('svg .value')].map((e) => e.textContent.trim())")
        self.assertEqual(values, ["a = 1", "b = 4", "a = 1"])

    def test_minimap(self):
        self.open(self.drawn(FIGURE1), "#trace=2")
        self.assertFalse(self.browser.find_element(By.CLASS_NAME, "minimap").is_displayed())
        self.open(self.many)
        whole = self.browser.find_element(By.CLASS_NAME, "minimap")
        self.assertTrue(whole.is_displayed())
        pixels = "const c = document.querySelector('.minimap'); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((x) => x).length"
        self.assertGreater(self.js(pixels), 2_000)
        webdriver.ActionChains(self.browser).move_to_element(whole).click().perform()
        self.assertAlmostEqual(self.step(), 1000, delta=5)

    def test_jumps(self):
        """A jump leads to the same state as its steps, there and back."""
        self.open(self.many, "#step=505")
        state = lambda: self.js("return [...document.querySelectorAll('[data-part]')].map((e) => [e.dataset.part, "
                                "[...e.querySelectorAll('.item')].map((i) => i.textContent)]).filter(([, items]) => items.length)")
        go = lambda step: self.js("const s = document.getElementById('slider'); s.value = arguments[0];"
                                  "s.dispatchEvent(new Event('input'));", step)
        walked = {505: state()}
        for step in range(506, 531):
            self.press("j")
            walked[step] = state()
        for step in (1999, 505, 0, 512, 1024, 513, 2000, 511, 530, 1, 520):
            go(step)
            self.assertEqual(self.step(), step)
            if step in walked:
                self.assertEqual(state(), walked[step], step)

    def test_steps_of_a_thread(self):
        self.open(self.drawn(FIGURE1), "#trace=2&step=9")
        for key, wanted in (("]", 10), ("]", 11), ("[", 10), ("[", 9), ("[", 9), (Keys.PAGE_DOWN, 16), (Keys.PAGE_UP, 0)):
            self.press(key)
            self.assertEqual(self.step(), wanted)

    def test_names_for_readers(self):
        """Whatever takes the focus has a name, and the heads of lanes do."""
        self.open(self.many, "#step=9")
        elements = self.browser.find_elements(By.CSS_SELECTOR, "main button, #view button, #view input, #view select, [tabindex]")
        self.assertGreater(len([element for element in elements if element.is_displayed()]), 15)
        for dialog in ("", "t"):
            self.press(dialog)
            elements = self.browser.find_elements(By.CSS_SELECTOR, "#threads-dialog *") if dialog else elements
            elements = [e for e in elements if e.tag_name in ("button", "input", "select", "div") and e.is_displayed()]
            self.assertGreater(len(elements), 5)
            for element in elements:
                self.assertTrue(element.accessible_name, element.get_attribute("outerHTML"))

    def test_narrow(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        try:
            self.open(self.many, "#step=300")
            self.assertFalse(self.id("view").is_displayed())
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 390)
            for name in ("view", "state"):
                self.assertGreater(self.js(f"return document.querySelector('.{name}').clientHeight"), 200)
            self.id("more").click()
            self.assertTrue(self.id("fit").is_displayed())
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 390)
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


class Recording(Browser):
    def labels(self):
        """For each row: its text at the left, its right end, and where the diagram begins, in pixels."""
        return self.browser.execute_script("""
            return [...document.querySelectorAll('svg text.gutter')].map((e) => {
              const cover = e.closest('svg').querySelector('.cover').getBoundingClientRect();
              const box = e.getBoundingClientRect();
              return [e.textContent.trim(), box.left, box.right, cover.left, cover.right];
            });""")

    def test_places_are_whole(self):
        """At usual widths, of one run and of two beside each other; also of names in front of the places."""
        path = self.write(RECORDED)
        size = self.browser.get_window_size()
        long = self.folder.name + "/long.ctp"
        Path(long).write_text(RECORDED.replace("mw.c", "exchange_neighbours.c"))
        try:
            for width in (1280, 1600):
                self.browser.set_window_size(width, 800)
                for file, options, pattern in (
                        (path, [], r"\d+  mw\.c:\d+"), (path, ["--names"], r"\d+  t\d\.c\d \(mw\.c:\d+\)"),
                        (path, ["--trace", "1", "--beside", "2"], r"\d+  mw\.c:\d+"),
                        (path, ["--trace", "1", "--beside", "2", "--names"], r"\d+  t\d\.c\d \(mw\.c:\d+\)"),
                        (long, [], r"\d+  exchange_neighbours\.c:\d+"),
                        (long, ["--trace", "1", "--beside", "2"], r"\d+  exchange_neighbours\.c:\d+")):
                    self.open(self.drawn(file, *options))
                    labels = self.labels()
                    self.assertEqual(len(labels), 18 if "--beside" in options else 9)
                    for text, left, right, begin, end in labels:
                        self.assertRegex(text, f"^{pattern}$", (width, options))
                        self.assertGreaterEqual(left, begin)
                        self.assertLessEqual(right, end, (width, options, text))
        finally:
            self.browser.set_window_size(size["width"], size["height"])

    def test_ranks(self):
        self.open(self.drawn(self.write(RECORDED), "--trace", "1", "--beside", "2"))
        heads = [e.text for e in self.browser.find_elements(By.CSS_SELECTOR, ".lanes button")]
        self.assertEqual(heads, ["rank 0", "rank 1", "rank 2"] * 2)
        self.assertIn("mw.c:19 of rank 0 gets mw.c:28 of rank 2 | mw.c:28 of rank 1", self.id("differences").text)
        self.press(Keys.END)
        self.assertEqual(self.part("matches"), ["R0_0 = S2_0", "R0_1 = S1_0"])


class SharedVariables(Browser):
    def test_arrows_and_locks(self):
        self.open(self.drawn(ACCOUNT), "#trace=2&step=17")
        self.assertEqual([tip.get_attribute("textContent") for tip in self.browser.find_elements(By.CSS_SELECTOR, ".reads title")],
                         ["go, from entry 0, fork (account.c:32), to entry 4, start (account.c:32)",
                          "done, from entry 11, end (account.c:18), to entry 15, join (account.c:34)"])
        self.assertEqual([name.text for name in self.browser.find_elements(By.CSS_SELECTOR, ".reads-name")], ["go", "done"])
        self.assertEqual([tip.get_attribute("textContent") for tip in self.browser.find_elements(By.CSS_SELECTOR, ".lock title")],
                         ["holds lock from entry 1, to entry 3", "holds lock from entry 12, to entry 14",
                          "holds lock from entry 5, to entry 7", "holds lock from entry 8, to entry 10"])
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".lock-name")), 4)

    def test_last_writers(self):
        self.open(self.drawn(ACCOUNT), "#trace=2&step=13")
        shared = lambda: [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "[data-part=shared] .item")]
        self.assertEqual(shared(), ["balance = 150, written by b5 (account.c:16)", "done = 1, written by end (account.c:18)",
                                    "go = 1, written by fork (account.c:32)", "lock = 0, written by a4 (account.c:15)"])
        self.assertEqual([item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "[data-part=h] .item")],
                         ["a = 100", "b = 100"])
        self.press(Keys.HOME)
        self.assertEqual(shared(), ["balance = 100, initial value", "done = 0, initial value", "go = 0, initial value",
                                    "lock = 1, initial value"])
        self.press(Keys.END)
        self.assertIn("balance = 130, written by a5 (account.c:16)", shared())


if __name__ == "__main__":
    unittest.main()
