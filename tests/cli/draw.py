#!/usr/bin/env python3
"""The pictures of `matchpoint draw`: each format by its own rules, for good runs, stuck ones, hostile names and huge programs."""

import functools
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema

from support import BAD_INPUT, BUFFERINGS, HOLDS, OUTPUT_FAILED, UNKNOWN, InFolder, part, program, programs, run

FIGURE1 = "traces/figure1.ctp"
ACCOUNT = "traces/shared_memory/account.ctp"
FORMATS = ("text", "svg", "html", "dot", "tikz", "shiviz", "perfetto", "itf")
HOSTILE = ("</script><script>x", "<img/onerror=1>", "a\x1bb\x7f", "&lt'\\N\\", "\u202e\u0007", "x" * 5000, "--", "$&")
PERFETTO = jsonschema.Draft202012Validator(json.loads(Path("docs/schema/perfetto.schema.json").read_text()))
SVG = "{http://www.w3.org/2000/svg}"


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)


def hostile():
    """A program whose names are what pages and terminals should not get to see, and a run of it."""
    receives, sends, trace = [], [], []
    for i, name in enumerate(HOSTILE):
        receives += [(f"r{i}{name}", f"(rcvi R{i}{name} 0 x{name})"), (f"w{i}{name}", f"(wait R{i}{name})")]
        sends += [(f"s{i}{name}", f"(sndi S{i}{name} 1 0 {i})")]
        trace += [f"s{i}{name}", f"r{i}{name}", (f"w{i}{name}", "((0 1))")]
    receives.append(("a", f"(assert (= x{HOSTILE[0]} 77))"))
    return program(receives, sends, traces=[trace + ["a"]])


def huge(messages):
    """Six commands a message."""
    receives, sends, trace = [], [], []
    for i in range(messages):
        receives += [(f"r{i}", f"(rcvi R{i} 0 x)"), (f"w{i}", f"(wait R{i})"), (f"a{i}", f"(assert (>= x {i}))")]
        sends += [(f"b{i}", f"(y := {i})"), (f"s{i}", f"(sndi S{i} 1 0 y)"), (f"v{i}", f"(wait S{i})")]
        trace += [f"b{i}", f"s{i}", f"v{i}", f"r{i}", (f"w{i}", "((0 1))"), f"a{i}"]
    return program(receives, sends, traces=[trace])


@functools.cache
def some_runs():
    """Traces in traces/ under both bufferings, with what `run` says of each, and the options to draw it."""
    runs = []
    for path in part(programs(shared=True), 5):
        for buffering in BUFFERINGS:
            report = run("run", path, "--buffering", buffering, "--format", "json")
            for trace in json.loads(report.text)["traces"] if report.out else []:
                if trace["limit"] is None:
                    runs.append((path, trace, ["--buffering", buffering, "--trace", str(trace["trace"])]))
    return runs


class Draw(InFolder):
    def drawn(self, path, picture, *options):
        result = run("draw", path, "--format", picture, *options)
        self.assertEqual(result.code, HOLDS, (path, picture, result.err[-500:]))
        return result.text



class Beside(InFolder):
    def test_two_traces(self):
        """The lines are those of the two pictures, and what differs is said."""
        file = self.folder / "beside.txt"
        self.assertEqual(run("draw", "traces/figure1.ctp", "--trace", "2", "--beside", "1", "-o", file).code, HOLDS)
        text = file.read_text()
        picture, differences = text.split("\n\n")
        sides = [line.split(" ┃") for line in picture.split("\n")]
        self.assertTrue(all(len(line) == 2 for line in sides))
        self.assertEqual({len(left) for left, _ in sides}, {58})
        self.assertIn("● wait …  A = 1", "\n".join(left for left, _ in sides))
        self.assertIn("● wait …  A = 4", "\n".join(right for _, right in sides))
        self.assertEqual(differences, "here: trace 2, there: trace 1\n  The runs differ first at entry 2: 26 here, 02 there\n"
                                      "  R2 gets S5 here, S4 there\n  R5 gets S4 here, S5 there\n"
                                      "  ≠ the runs differ first here, or the receive gets another message than in the other run\n")
        for side, marked in ((0, ["26", "03", "06"]), (1, ["02", "03", "06"])):
            lines = [re.match(r"≠ *\d+ (\d+) ", line[side].removeprefix(" ")) for line in sides]
            self.assertEqual([line[1] for line in lines if line], marked)

    def test_svg(self):
        """Both runs are in one picture, the same entries are marked by a sign and a band, and no id is there twice."""
        file = self.folder / "beside.svg"
        self.assertEqual(run("draw", "traces/figure1.ctp", "--trace", "2", "--beside", "1", "-o", file).code, HOLDS)
        root = ElementTree.fromstring(file.read_text())
        marks = [e for e in root.iter(SVG + "text") if e.get("class") == "mark"]
        self.assertEqual([e.text for e in marks], ["≠"] * 6)
        self.assertEqual(len([e for e in root.iter(SVG + "rect") if e.get("class") == "differs"]), 6)
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        texts = [e.text for e in root.iter(SVG + "text")]
        self.assertIn("The runs differ first at entry 2: 26 here, 02 there", texts)
        self.assertIn("≠ the runs differ first here, or the receive gets another message than in the other run", texts)
        widths = [float(e.get("x")) + float(e.get("width")) for e in root.findall(SVG + "svg")]
        self.assertEqual(float(root.get("width")), widths[-1])

    def test_the_same(self):
        self.assertIn("\n\nThe same messages are received.\n", run("draw", "traces/figure1.ctp", "--trace", "2", "--beside", "2").text)

    def test_narrow(self):
        """On 80 columns, one is below the other."""
        text = run("draw", "traces/figure1.ctp", "--trace", "1", "--beside", "2").text
        self.assertNotIn("┃", text)
        self.assertLess(text.index("trace 1 (infinite buffering)\n"), text.index("trace 2 (infinite buffering)\n"))
        self.assertTrue(run("draw", "traces/figure1.ctp", "--trace", "2", "--buffering", "zero").text.startswith("trace 2 (zero buffering)\n"))

    def test_columns(self):
        """Where standard output is no terminal, COLUMNS says how wide it is."""
        for columns, is_beside in (("120", True), ("79", False), ("0", False), ("wide", False)):
            text = run("draw", "traces/figure1.ctp", "--trace", "1", "--beside", "2", env={**os.environ, "COLUMNS": columns}).text
            self.assertEqual("┃" in text, is_beside, columns)

    def test_without_messages(self):
        path = "traces/shared_memory/account.ctp"
        self.assertNotIn("messages", run("draw", path, "--trace", "1", "--beside", "1").text)

    def test_refused(self):
        for options in (["--beside", "9"], ["--beside", "2", "-o", self.folder / "x.dot"], ["--beside", "2", "--paper", "a4", "-o", self.folder / "x.svg"], ["--beside", "0"]):
            self.assertEqual(run("draw", "traces/figure1.ctp", *options).code, BAD_INPUT, options)


class Cssa(Draw):
    FIGURE_1 = "traces/errata/f11_figure_1.ctp"
    FIGURE_5 = "traces/errata/f11b_figure_5.ctp"

    def test_names_are_those_of_the_encoding(self):
        for path in ("traces/shared_memory/account.ctp", self.FIGURE_1):
            problem = run("encode", path, "--encoding", "fusion").text
            declared = set(re.findall(r"declare-const ((?:var|pi)_\S+)", problem))
            shown = run("draw", path, "--cssa").text
            self.assertEqual(set(re.findall(r"(?:var|pi)_[^\s,()]+", shown)), declared)

    def test_model(self):
        text = run("draw", self.FIGURE_5, "--cssa", "--model", "mcm").text
        self.assertEqual(text, run("draw", self.FIGURE_5, "--cssa", "--model", "mcm", "--trace", "1").text)
        self.assertEqual(re.findall(r"^\*\* (\w+)", text, re.MULTILINE), ["t1", "t3", "t5", "t7", "t9", "t11"])  # Figure 6

    def test_threads_and_file(self):
        file = self.folder / "cssa.txt"
        self.assertEqual(run("draw", self.FIGURE_1, "--cssa", "--threads", "1", "-o", file).code, HOLDS)
        self.assertEqual(re.findall(r"^thread .*", file.read_text(), re.MULTILINE), ["thread 1"])
        self.assertEqual(run("draw", self.FIGURE_1, "--cssa", "-o", file).code, HOLDS)
        self.assertEqual(file.read_text(), run("draw", self.FIGURE_1, "--cssa").text)
        for _ in range(2):
            self.assertEqual(run("draw", self.FIGURE_5, "--cssa", "--model", "mcm", "-o", file).code, HOLDS)

    def test_hostile_names(self):
        commands = [(f"c{i}{name}", f"(when (> x{name} 0) (x{name} := {i}))") for i, name in enumerate(HOSTILE)]
        trace = [name for name, _ in commands]
        shared = "(shared " + " ".join(f"[x{name} 1]" for name in HOSTILE) + ")\n"
        path = self.write(shared + program(commands, traces=[trace]))
        for options in ([], ["--model", "mcm"]):
            text = run("draw", path, "--cssa", *options).text
            self.assertIn(r"c2a\x1bb", text)
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f\u202e]")

    def test_refused(self):
        model = ["--model", "mcm"]
        for options, saying in ((["--format", "svg"], "--cssa is text"), (["-o", self.folder / "x.svg"], "--cssa is text"),
                                (["-o", self.folder / "x"], "ends in none of"), (["--beside", "1"], "--cssa does not go with --beside"),
                                (["--paper", "a4"], "--paper goes with svg only"), (["--page", "1"], "--page goes with --paper only"),
                                (["--entries", "1..2"], "--cssa does not go with --entries"), (["--threads", "2"], "there is no thread 2"),
                                (["--trace", "1"], "--trace goes with --model mcm only"), ([*model, "--trace", "9"], "trace 9"),
                                (["--model", "hb"], "hb")):
            self.refused("draw", self.FIGURE_1, "--cssa", *options, saying=saying)
        self.refused("draw", self.FIGURE_1, *model, saying="--model goes with --cssa only")
        self.refused("draw", FIGURE1, "--cssa", saying="fusion knows no messages")
        self.refused("draw", self.write("( ( [a (barrier b)] ) ( [c (barrier b)] ) )"), "--cssa", saying="fusion knows no barriers")
        self.refused("draw", "traces/errata/f15_assert_local.ctp", "--cssa", *model, saying="trace 1 has no reduced model: Section 6 leaves out")
        self.refused("draw", self.write("(shared [x 0]) ( ( [a (x := 1)] ) )"), "--cssa", *model, saying="trace")


class SvgRules:
    def check(self, text):
        self.assertNotRegex(text, r"[\x00-\x08\x0b-\x1f]")
        root = ElementTree.fromstring(text)
        self.assertEqual(root.tag, SVG + "svg")
        self.assertLessEqual({e.tag.removeprefix(SVG) for e in root.iter()},
                             {"svg", "title", "style", "defs", "marker", "path", "rect", "text", "g", "circle"})
        for element in root.iter():
            self.assertFalse([a for a in element.attrib if a.startswith("on") or "href" in a])
        return root


class Svg(SvgRules, Draw):
    def test_runs(self):
        for path, trace, options in some_runs():
            root = self.check(self.drawn(path, "svg", *options))
            rows = [e for e in root.iter(SVG + "g")]
            self.assertEqual(len(rows), trace["steps"] + (trace["error"] is not None))
            failures = len(trace["failed_assertions"]) + len(trace["failed_assumptions"])
            classes = [e.get("class") for e in root.iter()]
            self.assertEqual(classes.count("cross"), failures)
            self.assertEqual(classes.count("stuckband"), trace["error"] is not None)

    def test_arrows(self):
        root = self.check(self.drawn(FIGURE1, "svg", "--trace", "2"))
        arrows = [e.find(SVG + "title").text for e in root.iter(SVG + "path") if e.get("class") == "message"]
        self.assertEqual(arrows, ["S4 = 4: issued at entry 0, delivered at entry 12, R5 completed at entry 12",
                                  "S6 = 7: issued at entry 2, delivered at entry 5, R3 completed at entry 5",
                                  "S5 = 1: issued at entry 6, delivered at entry 9, R2 completed at entry 9"])
        # From the lane of the sender to that of the receiver, downwards.
        for arrow in [e for e in root.iter(SVG + "path") if e.get("class") == "message"]:
            x1, y1, x2, y2 = map(float, re.fullmatch(r"M(\S+) (\S+)L(\S+) (\S+)", arrow.get("d")).groups())
            self.assertLess(x2, x1)
            self.assertLess(y1, y2)

    def test_documentation(self):
        self.assertEqual(Path("docs/figure1.svg").read_text(), self.drawn(FIGURE1, "svg", "--trace", "2"))
        self.assertEqual(Path("docs/account.svg").read_text(), self.drawn(ACCOUNT, "svg", "--trace", "2"))

    def test_shared_variables(self):
        root = self.check(self.drawn(ACCOUNT, "svg", "--trace", "2"))
        tips = lambda css: [e.find(SVG + "title").text for e in root.iter() if (e.get("class") or "").split(" ")[0] == css]
        self.assertEqual(tips("reads"), ["go, from entry 0, fork (account.c:32), to entry 4, start (account.c:32)",
                                         "done, from entry 11, end (account.c:18), to entry 15, join (account.c:34)"])
        self.assertEqual(tips("lock")[0], "holds lock from entry 1, a1 (account.c:12), to entry 3, a3 (account.c:14)")
        self.assertEqual(len(tips("lock")), 4)
        names = [e.text for e in root.iter(SVG + "text") if e.get("class") == "variable halo"]
        self.assertEqual(names, ["go", "done"])
        notes = [e.text for e in self.check(self.drawn("traces/shared_memory/philosophers.ctp", "svg", "--trace", "2")).iter(SVG + "text")]
        self.assertIn("║ thread 2 waits at c2 for f0, which thread 0 has held since entry 0, a1", notes)

    def test_a_lock_over_pages(self):
        """Each page has the part of the bar that is on it."""
        thread = [("a", "(when (> l 0) (l := (- l 1)))"), *((f"x{i}", "(x := x)") for i in range(100)), ("b", "(l := (+ l 1))")]
        path = self.write("(shared [l 1] [x 0])" + program(thread, traces=[[name for name, _ in thread]]))
        out = self.folder / "run.svg"
        self.assertEqual(run("draw", path, "--paper", "a4", "-o", out).code, HOLDS)
        self.assertEqual([page.read_text().count('class="lock"') for page in sorted(self.folder.glob("run-*.svg"))], [1, 1, 1])

    def test_hostile_names(self):
        root = self.check(self.drawn(self.write(hostile()), "svg"))
        texts = "".join(root.itertext())
        self.assertIn("</script><script>x", texts)
        self.assertIn(r"a\x1bb\x7f", texts)


def many_threads(threads, rounds):
    """Each thread sends to the next ones, near and far, in turn."""
    commands, trace = [[] for _ in range(threads)], []
    for i in range(rounds):
        a, b = i % threads, (i * 7 + 3) % threads
        if a == b:
            b = (b + 1) % threads
        for thread, rho, command in ((a, f"s{i}", f"(sndi S{i} {a} {b} {i})"), (b, f"r{i}", f"(rcvi R{i} {b} x{b})"),
                                     (b, f"w{i}", f"(wait R{i})"), (a, f"v{i}", f"(wait S{i})")):
            commands[thread].append((rho, command))
            trace.append((rho, f"(({b} {a}))") if rho == f"w{i}" else rho)
    return program(*commands, traces=[trace])


class Pages(SvgRules, Draw):
    """SVG on paper."""

    SIZES = {"a4": (210, 297), "a4-landscape": (297, 210), "letter": (215.9, 279.4), "letter-landscape": (279.4, 215.9)}

    def pages(self, path, paper, *options):
        out = self.folder / "run.svg"
        result = run("draw", path, "--paper", paper, "-o", out, *options)
        self.assertEqual(result.code, HOLDS, result.err)
        files = [out] if out.exists() else sorted(self.folder.glob("run-*.svg"))
        roots = [self.check(file.read_text()) for file in files]
        for file in files:
            file.unlink()
        return roots, [file.name for file in files], result

    def scale(self, root):
        """Millimetres of a unit; the page has its size."""
        width, height = (float(root.get(side).removesuffix("mm")) for side in ("width", "height"))
        left, top, units, lines = map(float, root.get("viewBox").split())
        self.assertEqual((left, top), (0, 0))
        self.assertAlmostEqual(height / lines, width / units, delta=0.001)
        return width / units

    def test_twenty_threads(self):
        path = self.write(many_threads(20, 60))
        for paper, size in self.SIZES.items():
            roots, names, result = self.pages(path, paper)
            self.assertEqual(result.err, b"")
            self.assertGreater(len(roots), 1)
            self.assertEqual(names, [f"run-{p}.svg" for p in range(1, len(roots) + 1)])
            rows = [g.get("id") for root in roots for g in root.iter(SVG + "g")]
            self.assertEqual(rows, [f"entry{r}" for r in range(240)])
            for p, root in enumerate(roots):
                self.assertEqual((root.get("width"), root.get("height")), (f"{size[0]}mm", f"{size[1]}mm"))
                scale = self.scale(root)
                self.assertGreaterEqual(12 * scale, 2.5)  # a font of 7 points
                units = size[0] / scale
                texts = list(root.iter(SVG + "text"))
                self.assertIn(f"page {p + 1} of {len(roots)}", [t.text for t in texts])
                if not list(root.iter(SVG + "g")):
                    continue  # the last page may have the notes only
                self.assertEqual(sum(bool(re.fullmatch(r"(thread )?\d+", t.text)) for t in texts), 20)
                for text in texts:  # on the page, and whole
                    self.assertNotIn("…", text.text)
                    x, width = float(text.get("x")), 7.3 * len(text.text)
                    begin, end = (x - width, x) if text.get("text-anchor") == "end" else (x, x + width)
                    self.assertGreaterEqual(begin, 0, text.text)
                    self.assertLessEqual(end, units, text.text)
                self.assertTrue([e for e in root.iter(SVG + "path") if e.get("class") == "message"])

    def test_texts_keep_off_heads(self):
        """Where an arrow from the right ends at a mark, the text after the mark begins to the right of the head."""
        (root,), _, _ = self.pages(self.write(many_threads(3, 6)), "a4")
        heads = {}
        for arrow in (e for e in root.iter(SVG + "path") if e.get("class") == "message"):
            x1, _, x2, y2 = map(float, re.fullmatch(r"M(\S+) (\S+)L(\S+) (\S+)", arrow.get("d")).groups())
            if x1 > x2:
                heads[round(y2 + 1)] = x2
        checked = 0
        for g in root.iter(SVG + "g"):
            text = g.findall(SVG + "text")[-1]
            x, y = float(text.get("x")), round(float(text.get("y")) - 4)
            if y in heads and text.get("text-anchor") != "end":
                self.assertGreater(x, heads[y] + 8)
                checked += 1
        self.assertGreater(checked, 0)

    def test_runs(self):
        for path, trace, options in some_runs():
            roots, names, _ = self.pages(path, "a4", *options)
            rows = [g for root in roots for g in root.iter(SVG + "g")]
            self.assertEqual(len(rows), trace["steps"] + (trace["error"] is not None))
            if len(roots) == 1:
                self.assertEqual(names, ["run.svg"])

    def test_too_many_threads(self):
        _, _, result = self.pages(self.write(many_threads(200, 20)), "letter")
        self.assertIn("200 threads do not fit the paper well", result.error_text)

    def test_one_page(self):
        path = self.write(many_threads(20, 60))
        whole, _, _ = self.pages(path, "a4")
        for p in (1, len(whole)):
            text = run("draw", path, "--format", "svg", "--paper", "a4", "--page", str(p)).text
            self.assertEqual(ElementTree.tostring(ElementTree.fromstring(text)), ElementTree.tostring(whole[p - 1]))
        for arguments, saying in ((["--format", "svg", "--paper", "a4"], "pages: write them to files"),
                                  (["--format", "svg", "--paper", "a4", "--page", "99"], "has no page 99"),
                                  (["--paper", "a4"], "--paper goes with svg only"),
                                  (["--format", "svg", "--page", "1"], "--page goes with --paper only")):
            self.refused("draw", path, *arguments, saying=saying)

    def test_arrows(self):
        """An arrow to the next page is on both, at the same places."""
        sends = [(f"s{i}", f"(x := {i})") for i in range(100)]
        path = self.write(program([("a", "(sndi S 0 1 7)"), *sends], [("r", "(rcvi R 1 y)"), ("w", "(wait R)")],
                                  traces=[["a", *(rho for rho, _ in sends), "r", ("w", "((1 0))")]]))
        roots, _, _ = self.pages(path, "a4")
        arrows = [[e.get("d") for e in root.iter(SVG + "path") if e.get("class") == "message"] for root in roots]
        self.assertEqual(arrows, [arrows[0]] * len(roots))
        self.assertEqual(len(arrows[0]), 1)

class Text(Draw):
    def test_runs(self):
        for path, trace, options in some_runs():
            text = self.drawn(path, "text", *options)
            self.assertIn(f"\ns = {trace['status']}\n", text)
            rows = re.split(r"^[■✗○s]", text, flags=re.MULTILINE)[0]
            self.assertEqual(len(re.findall(r"^ {1,2}\d+ ", rows, re.MULTILINE)),
                             trace["steps"] + (trace["error"] is not None), text)

    def test_hostile_names(self):
        text = self.drawn(self.write(hostile()), "text")
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertIn(r"S2a\x1bb", text)

    def test_commands_that_are_cut(self):
        """They have an ellipsis, and the line above the status counts them and says what shows more."""
        def lines(columns, *options):
            return run("draw", ACCOUNT, "--trace", "1", *options, env={**os.environ, "COLUMNS": str(columns)}).text.splitlines()
        narrow = lines(80)
        is_cut = [line for line in narrow if "…" in line]
        self.assertEqual(narrow[-2:], [f"{len(is_cut)} commands are cut: COLUMNS=160 or -o FILE.svg shows more", "s = success"])
        self.assertGreater(len(is_cut), 2)
        wide = lines(160)
        self.assertFalse([line for line in wide if "…" in line or "cut" in line])
        one = lines(80, "--entries", "1")
        self.assertEqual(one[-2], "1 command is cut: COLUMNS=160 or -o FILE.svg shows more")
        self.assertNotIn("cut", run("draw", FIGURE1).text)
        file = self.folder / "account.txt"
        run("draw", ACCOUNT, "--trace", "1", "-o", file)
        self.assertEqual(file.read_text().splitlines()[-2], f"{len(is_cut)} commands are cut: -o FILE.svg shows more")

    def test_all_traces_or_one(self):
        self.assertEqual(re.findall(r"^trace (\d)", self.drawn(FIGURE1, "text"), re.MULTILINE), ["1", "2", "3"])
        self.assertEqual(re.findall(r"^trace (\d)", self.drawn(FIGURE1, "text", "--trace", "3"), re.MULTILINE), ["3"])


class Html(Draw):
    def data(self, path, *options):
        text = self.drawn(path, "html", *options)
        return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)[1])

    def lines(self, data, block):
        """The lines of a block, as the page reads them (report/page/data.js)."""
        for line in filter(None, block.split(";")):
            template, *numbers = line.split(",")
            yield json.loads("".join(part if isinstance(part, str) else numbers[part]
                                     for part in data["templates"][int(template)]))

    def apply(self, state, changes, after=3):
        for change in changes:
            container, key, value = change[0], change[1], change[after]
            state.pop((container, key), None)
            if value is not None:
                state[container, key] = value

    def test_net_changes(self):
        """The net change of a block leads to the same state as the changes of its rows, forwards and backwards."""
        data = self.data(self.write(many_threads(5, 700)))
        trace = data["traces"][0]
        self.assertEqual((len(trace["threads"]), len(trace["rows"]), len(trace["nets"])), (2800, 6, 6))
        rows, nets = {}, {}
        for block, net in zip(trace["rows"], trace["nets"]):
            before = dict(nets)
            for row in self.lines(data, block):
                self.apply(rows, row[4])
            changes = list(self.lines(data, net))
            self.apply(nets, changes)
            self.assertEqual(rows, nets)
            self.assertLess(len(changes), sum(len(row[4]) for row in self.lines(data, block)) / 3)
            self.apply(nets, reversed(changes), after=2)
            self.assertEqual(nets, before)
            self.apply(nets, changes)
        self.assertEqual(sum(container == 2 for container, _ in nets), 700)

    def test_rows(self):
        data = self.data(FIGURE1, "--trace", "2")
        rows = list(self.lines(data, data["traces"][0]["rows"][0]))
        self.assertEqual([row[:2] for row in rows[8:10]], [["02", "rcvi R2 0 A"], ["03", "wait R2  A = 1"]])
        self.assertIn([0, "A", None, "1"], rows[9][4])
        messages = data["traces"][0]["messages"]
        self.assertEqual(list(self.lines(data, messages["texts"][0])), [["S4 = 4", "R5"], ["S6 = 7", "R3"], ["S5 = 1", "R2"]])
        self.assertEqual((messages["sent"], messages["delivered"]), ([0, 2, 6], [12, 5, 9]))

    def test_compact(self):
        """64 threads, 20,000 commands: under a hundred bytes a command, with all rules and states."""
        path = self.write(many_threads(64, 5_000))
        self.assertLess(len(self.drawn(path, "html")), 100_000 + 100 * 20_000)


class Dot(Draw):
    TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?)|(->|[{}\[\]=;,]))')

    def check(self, text):
        """Brackets fit, strings end, and every node of an edge is declared."""
        at, stack, tokens = 0, [], []
        while text[at:].strip():
            match = self.TOKEN.match(text, at)
            self.assertIsNotNone(match, text[at:at + 80])
            tokens.append(match[1] or match[2] or match[3])
            at = match.end()
        for token in tokens:
            if token in "{[":
                stack.append(token)
            elif token in "}]":
                self.assertEqual(stack.pop(), {"}": "{", "]": "["}[token])
        self.assertEqual(stack, [])
        declared = {a for a, b in zip(tokens, tokens[1:]) if b == "["}
        for i, token in enumerate(tokens):
            if token == "->":
                self.assertLessEqual({tokens[i - 1], tokens[i + 1]}, declared)
        if shutil.which("dot"):
            svg = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=True).stdout
            ElementTree.fromstring(svg)

    def test_traces(self):
        for path in (FIGURE1, "traces/stuck_message_not_there.ctp", "traces/orphans_in_transit.ctp",
                     "traces/stuck_unknown_location.ctp", "traces/syntax_empty_program.ctp"):
            self.check(self.drawn(path, "dot"))

    def test_hostile_names(self):
        text = self.drawn(self.write(hostile()), "dot")
        self.check(text)
        self.assertIn(r"&lt'\\N\\", text)

    def test_messages(self):
        text = self.drawn(FIGURE1, "dot", "--trace", "2")
        self.assertIn('e0 -> e12 [label="S4 = 4"', text)
        self.assertIn('e6 -> e9 [label="S5 = 1"', text)


class ShiViz(Draw):
    def executions(self, text):
        """The events as ShiViz reads them: by the expression in the first line, set apart by the one in the second."""
        event, delimiter, log = text.split("\n", 2)
        python = lambda expression: expression.replace("(?<", "(?P<")
        parts = re.split(python(delimiter), log, flags=re.MULTILINE)
        self.assertEqual(parts[0].strip(), "")
        result = {}
        for name, body in zip(parts[1::2], parts[2::2]):
            events, rest = [], body.lstrip("\n")
            for match in re.finditer(python(event), rest):
                events.append((match["event"], match["host"], json.loads(match["clock"])))
            self.assertEqual(len(events) * 2, rest.count("\n"))
            result[name] = events
        return result

    def check(self, events):
        """Vector clocks: a host's own component counts its events, and what an event knows of others has happened."""
        known = {}
        for event, host, clock in events:
            before = known.get(host, {})
            self.assertEqual(clock[host], before.get(host, 0) + 1)
            for other, count in before.items():
                self.assertGreaterEqual(clock[other], count)
            for other, count in clock.items():
                if other != host:
                    self.assertLessEqual(count, known[other][other])
            known[host] = clock

    def test_runs(self):
        for path in part(programs(shared=True), 4):
            for buffering in BUFFERINGS:
                result = run("draw", path, "--format", "shiviz", "--buffering", buffering)
                if result.code == HOLDS:
                    for events in self.executions(result.text).values():
                        self.check(events)

    def test_what_is_known(self):
        events = self.executions(self.drawn(FIGURE1, "shiviz"))["trace 2: failure"]
        clocks = {event: clock for event, _, clock in events}
        self.assertEqual(clocks["entry 5, 14: wait R3  C = 7"], {"thread1": 2, "thread2": 3})
        self.assertEqual(clocks["entry 9, 03: wait R2  A = 1"], {"thread0": 2, "thread1": 3, "thread2": 3})
        self.assertEqual(clocks["entry 8, 02: rcvi R2 0 A"], {"thread0": 1})
        rendezvous = self.executions(self.drawn(FIGURE1, "shiviz", "--buffering", "zero"))["trace 3: success"]
        self.assertEqual([clock for event, _, clock in rendezvous if ": wait S4" in event], [{"thread0": 1, "thread2": 2}])

    def test_a_barrier(self):
        """Behind it each thread knows what the others did before it, and no more."""
        barrier = [[(f"a{t}", f"(x{t} := {t})"), (f"b{t}", "(barrier b)"), (f"c{t}", f"(y{t} := {t})")] for t in range(3)]
        trace = ["a0", "a1", "a2", "b1", "c1", "b0", "b2", "c2", "c0"]
        path = self.write(program(*barrier, traces=[trace]))
        (events,) = self.executions(self.drawn(path, "shiviz")).values()
        self.check(events)
        clocks = {event.split(":")[0].split(", ")[1]: clock for event, _, clock in events}
        for t in range(3):
            others = {f"thread{other}": 1 for other in range(3) if other != t}
            self.assertEqual(clocks[f"b{t}"], {f"thread{t}": 2} | others)
            self.assertEqual(clocks[f"c{t}"], {f"thread{t}": 3} | others)

    def test_shared_variables(self):
        """A read knows what the write did: of a join, all of the thread."""
        events = self.executions(self.drawn(ACCOUNT, "shiviz"))["trace 2: failure"]
        self.check(events)
        clocks = {event.split(" ")[2]: clock for event, _, clock in events}
        self.assertEqual(clocks["fork"], {"thread0": 1})
        self.assertEqual(clocks["start"], {"thread0": 1, "thread1": 1})
        self.assertEqual(clocks["b1"], {"thread0": 4, "thread1": 2})
        self.assertEqual(clocks["join"], {"thread0": 8, "thread1": 8})

    def test_hostile_names(self):
        (events,) = self.executions(self.drawn(self.write(hostile()), "shiviz")).values()
        self.check(events)
        self.assertEqual(len(events), 3 * len(HOSTILE) + 1)


class Perfetto(Draw):
    def check(self, text):
        document = json.loads(text, object_pairs_hook=without_duplicates)
        self.assertEqual([f"{e.json_path}: {e.message[:200]}" for e in PERFETTO.iter_errors(document)], [])
        events = document["traceEvents"]
        times = [e["ts"] for e in events]
        self.assertEqual(times, sorted(times))
        # Slices of a thread do not overlap.
        slices = {}
        for e in events:
            if e["ph"] == "X":
                self.assertGreaterEqual(e["ts"], slices.get(e["tid"], [(0, 0)])[-1][1])
                slices.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"]))
        # Flows come in pairs, forwards in time, each end in a slice of its thread.
        flows = {}
        for e in events:
            if e["ph"] in "sf":
                flows.setdefault(e["id"], []).append(e)
                self.assertTrue(any(begin <= e["ts"] < end for begin, end in slices[e["tid"]]))
        for pair in flows.values():
            self.assertEqual([e["ph"] for e in pair], ["s", "f"])
            self.assertLess(pair[0]["ts"], pair[1]["ts"])
        names = {e["tid"] for e in events if e["name"] == "thread_name"}
        self.assertLessEqual(set(slices), names)
        return events, flows

    def test_runs(self):
        for path, trace, options in some_runs():
            events, flows = self.check(self.drawn(path, "perfetto", *options))
            of = lambda kind: [pair for pair in flows.values() if pair[0]["cat"] == kind]
            self.assertEqual(len(of("message")), len(trace["matches"]), (path, options))
            # Those of reads are among what `run` says; what it says of locks is left out.
            reads = {(r["from"], r["entry"]) for r in trace.get("reads_from", [])}
            drawn = {tuple(e["ts"] // 1000 for e in pair) for pair in of("reads-from")}
            self.assertEqual(drawn - reads, set(), (path, options))
            self.assertTrue(all(begin["tid"] != end["tid"] for begin, end in of("reads-from")))

    def test_shared_variables(self):
        events, flows = self.check(self.drawn(ACCOUNT, "perfetto", "--trace", "2"))
        self.assertEqual([[(e["name"], e["tid"], e["ts"] // 1000) for e in pair] for pair in flows.values()],
                         [[("go", 1, 0), ("go", 2, 4)], [("done", 2, 11), ("done", 1, 15)]])
        self.assertEqual([(e["ph"], e["ts"] // 1000, e["name"]) for e in events if e.get("cat") == "lock"],
                         [("b", 1, "thread 0 holds lock"), ("e", 4, "thread 0 holds lock"),
                          ("b", 5, "thread 1 holds lock"), ("e", 8, "thread 1 holds lock"),
                          ("b", 8, "thread 1 holds lock"), ("e", 11, "thread 1 holds lock"),
                          ("b", 12, "thread 0 holds lock"), ("e", 15, "thread 0 holds lock")])

    def test_empty_run(self):
        """A way to a deadlock on which nothing happens."""
        witness = self.folder / "witness.ctp"
        run("check", self.write("( ( [00 (probe p 0)] bot ) )"), "-o", witness)
        events, _ = self.check(self.drawn(witness, "perfetto"))
        self.assertEqual([(e["name"], e["dur"]) for e in events if e.get("cat") == "wait"], [("(probe p 0)", 1000)])

    def test_flows(self):
        events, flows = self.check(self.drawn(FIGURE1, "perfetto", "--trace", "2"))
        self.assertEqual([[(e["name"], e["tid"], e["ts"] // 1000) for e in pair] for pair in sorted(
            flows.values(), key=lambda pair: pair[0]["id"])],
            [[("S4 = 4", 3, 0), ("S4 = 4", 1, 12)], [("S6 = 7", 3, 2), ("S6 = 7", 2, 5)],
             [("S5 = 1", 2, 6), ("S5 = 1", 1, 9)]])
        self.assertIn("assertion does not hold", [e["name"] for e in events])

    def test_hostile_names(self):
        self.check(self.drawn(self.write(hostile()), "perfetto"))


class Itf(Draw):
    def check_value(self, v):
        if isinstance(v, (bool, str)):
            return
        self.assertNotIsInstance(v, (int, float), "integers are bigints")
        if isinstance(v, list):
            for item in v:
                self.check_value(item)
            return
        special = [key for key in v if key.startswith("#")]
        if not special:
            for item in v.values():
                self.check_value(item)
            return
        self.assertEqual(len(v), 1)
        (key, content), = v.items()
        if key == "#bigint":
            self.assertRegex(content, r"\A-?[0-9]+\Z")
        elif key == "#map":
            keys = []
            for pair in content:
                self.assertEqual(len(pair), 2)
                self.check_value(pair)
                keys.append(json.dumps(pair[0]))
            self.assertEqual(len(keys), len(set(keys)))
        else:
            self.assertEqual(key, "#tup")
            self.check_value(content)

    def check(self, text):
        document = json.loads(text, object_pairs_hook=without_duplicates)
        self.assertEqual(set(document), {"#meta", "params", "vars", "states"})
        self.assertEqual(document["#meta"]["format"], "ITF")
        self.assertEqual(set(document["#meta"]["varTypes"]), set(document["vars"]))
        for i, state in enumerate(document["states"]):
            self.assertEqual(state["#meta"], {"index": i})
            self.assertEqual(set(state) - {"#meta"}, set(document["vars"]))
            for name in document["vars"]:
                self.check_value(state[name])
        return document["states"]

    def test_runs(self):
        for path, trace, options in some_runs():
            states = self.check(self.drawn(path, "itf", *options))
            used_up = trace["error"] is not None
            self.assertEqual(len(states), 1 + trace["steps"] + used_up)
            last = states[-1]
            self.assertEqual(last["s"], trace["status"])
            value = lambda v: v["value"] if v["tag"] == "Bool" else int(v["value"]["#bigint"])
            store = {x: value(v) for x, v in last["h"]["#map"]}
            self.assertEqual(store, {x: int(v) if isinstance(v, str) else v for x, v in trace["store"].items()})

    def test_queues(self):
        states = self.check(self.drawn(FIGURE1, "itf", "--trace", "2"))
        four = {"tag": "Int", "value": {"#bigint": "4"}}
        self.assertEqual(states[1]["Pnd_s"], {"#map": [[{"#tup": ["0", "2"]}, [{"a": "S4", "v": four}]]]})
        self.assertEqual(states[1]["A"], {"#map": [["S4", "2"]]})
        self.assertEqual(states[9]["Pnd_r"], {"#map": [["0", [{"a": "R2", "x": "A"}]]]})

    def test_names_are_whole(self):
        states = self.check(self.drawn(self.write(hostile()), "itf"))
        self.assertEqual({x for x, _ in states[-1]["h"]["#map"]}, {"x" + name for name in HOSTILE})


class Command(Draw):
    def test_format_by_ending(self):
        for name, picture in (("a.txt", "text"), ("a.svg", "svg"), ("a.html", "html"), ("a.dot", "dot"), ("a.tex", "tikz"),
                              ("a.log", "shiviz"), ("a.json", "perfetto"), ("a.itf.json", "itf")):
            out = self.folder / name
            result = run("draw", FIGURE1, "-o", out)
            self.assertEqual((result.code, result.out, result.err), (HOLDS, b"", b""))
            self.assertEqual(out.read_text(), self.drawn(FIGURE1, picture), name)
        out = self.folder / "picture"
        result = run("draw", FIGURE1, "-o", out)
        self.assertEqual(result.code, BAD_INPUT)
        self.assertIn("say --format", result.error_text)
        self.assertFalse(out.exists())
        self.assertEqual(run("draw", FIGURE1, "--format", "itf", "-o", self.folder / "b.json").code, HOLDS)
        self.assertEqual((self.folder / "b.json").read_text(), self.drawn(FIGURE1, "itf"))

    def test_bad_input(self):
        for arguments, saying in (([FIGURE1, "--trace", "9"], "has no trace 9: it has 3"),
                                  ([self.write("(([00 (x := 1)]))")], "has no trace to draw"),
                                  ([self.write("(([00 (x := )]))", "bad.ctp")], "error[syntax]"),
                                  (["missing.ctp"], "cannot read missing.ctp"),
                                  ([FIGURE1, "--format", "png"], "`png` is not one of")):
            for picture in ([], ["-o", self.folder / "out.html"]):
                result = run("draw", *arguments, *picture)
                self.assertEqual((result.code, result.out), (BAD_INPUT, b""))
                self.assertIn(saying, result.error_text)
                self.assertFalse((self.folder / "out.html").exists())

    def test_output_failed(self):
        self.assertEqual(run("draw", FIGURE1, "-o", self.folder / "no/such/out.svg").code, OUTPUT_FAILED)
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("draw", FIGURE1, stdout=full).code, OUTPUT_FAILED)

    def test_limit(self):
        squares = [("00", "(x := 2)")] + [(f"q{i}", "(x := (* x x))") for i in range(30)]
        path = self.write(program(squares, traces=[[rho for rho, _ in squares]]))
        for picture in FORMATS:
            result = run("draw", path, "--format", picture)
            self.assertEqual(result.code, UNKNOWN, picture)
            self.assertIn("entry", result.error_text)
            self.assertTrue(result.out)
        self.assertIn("limit reached", run("draw", path).text)

    def test_stuck_runs_are_drawn(self):
        for picture in FORMATS:
            self.assertTrue(self.drawn(FIGURE1, picture, "--buffering", "zero"))

    def test_huge(self):
        """Ten times the commands give ten times the output, and take no minutes, as quadratic time would."""
        small, large = self.write(huge(1_667), "small.ctp"), self.write(huge(16_667), "large.ctp")
        for picture in ("text", "svg", "dot", "html", "tikz", "shiviz", "perfetto"):
            few = run("draw", small, "--format", picture)
            many = run("draw", large, "--format", picture, timeout=120)
            self.assertFalse(many.timed_out, picture)
            self.assertEqual((few.code, many.code), (HOLDS, HOLDS))
            self.assertLess(len(many.out), 13 * len(few.out), picture)

    def test_too_large(self):
        """The output of a quadratic format stops at its limit."""
        commands = [("a", f"({'x' * 3_000_000} := 1)")] + [(f"l{i}", f"(y := {i})") for i in range(100)]
        path = self.write(program(commands, traces=[[rho for rho, _ in commands]]))
        result = run("draw", path, "--format", "itf", "-o", self.folder / "out.itf.json")
        self.assertEqual((result.code, result.out), (UNKNOWN, b""))
        self.assertIn("larger than 256 MiB", result.error_text)
        self.assertFalse((self.folder / "out.itf.json").exists())

    def test_many_threads(self):
        threads = [[(f"l{t}", f"(x{t} := {t})")] for t in range(2_000)]
        path = self.write(program(*threads, traces=[[f"l{t}" for t in range(2_000)]]))
        for picture in FORMATS:
            if picture != "itf":  # whose states are quadratic here
                self.assertLess(len(self.drawn(path, picture)), 5_000_000, picture)


if __name__ == "__main__":
    unittest.main()
