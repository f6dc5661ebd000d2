#!/usr/bin/env python3
"""Probes: what the commands say of them, and which commands know none."""

import json
import unittest

from checker import check as checked
from support import BAD_INPUT, BUFFERINGS, DEADLOCK, FAILURE, HOLDS, UNKNOWN, InFolder, has_probes, programs, run

TWO_TAGS = "traces/probes_two_tags.ctp"
FROM_ANYBODY = "traces/probes_receive_from_anybody.ctp"
SYNCHRONOUS = "traces/probes_matched_synchronous.ctp"
BEHIND_WHEN = """(shared [f 0])
( ( [00 (probe p 0 (source y))] [01 (rcvi r 0 x)] [02 (wait r)] [03 (f := 1)] bot )
  ( [10 (sndi s 1 0 7)] [11 (when (= f 1) (f := 2))] [12 (wait s)] bot ) )
"""


def json_of(*arguments):
    return json.loads(run(*arguments, "--format", "json").text)


def asked(path, *requests):
    """The answers of the oracle to `load` and to these requests, each a method and its parameters."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": parameters})
             for i, (method, parameters) in enumerate((("load", {"file": str(path)}), *requests))]
    return [json.loads(line) for line in run("oracle", stdin="\n".join([*lines, ""]).encode()).text.splitlines()]


class Probes(InFolder):
    def test_run(self):
        result = json_of("run", TWO_TAGS)["traces"]
        self.assertEqual([t["sees"] for t in result],
                         [[{"probe": "p1", "send": "s1"}, {"probe": "p2", "send": "s2"}], [{"probe": "p1", "send": "s1"}], []])
        self.assertEqual([t["error"] and t["error"]["reason"] for t in result], [None, "trace used up", "wrong peek"])
        self.assertNotIn("sees", json_of("run", "traces/selectors_no_overtaking.ctp")["traces"][0])

    def test_runs_of_explore_are_traces(self):
        """`run` on a trace of `explore` says the same of it."""
        seen = set()
        for path in filter(has_probes, programs()):
            for buffering in BUFFERINGS:
                found = json_of("explore", path, "--buffering", buffering)["executions"]
                text = path.read_text().partition("\n\n")[0] + "\n\n" + "\n".join(e["trace"] for e in found) + "\n"
                told = json_of("run", self.write(text), "--buffering", buffering)["traces"]
                for e, t in zip(found, told, strict=True):
                    if e["status"] == "deadlock":
                        continue
                    self.assertEqual((e["status"], e["matches"], e["sees"]), (t["status"], t["matches"], t["sees"]), path)
                    seen.add((path, e["status"], str(e["sees"])))
        self.assertGreater(len(seen), 5)

    def test_step(self):
        """Where a probe can see several messages, the session asks which one."""
        def session(*commands):
            result = run("step", FROM_ANYBODY, "--choose", "--echo", stdin="".join(c + "\n" for c in commands).encode())
            return result.text + result.error_text

        text = session("thread 1", "thread 2", "choices", "thread 0")
        self.assertIn("00 (probe p 0 (source y)) sees [s1 1 from 1]", text)
        self.assertIn("00 (probe p 0 (source y)) sees [s2 2 from 2]", text)
        self.assertIn("00 can see 2 messages: `choices` has them", text)

    def test_check(self):
        for buffering in ["any", *BUFFERINGS]:
            result = json_of("check", FROM_ANYBODY, "--buffering", buffering)["results"][0]
            self.assertEqual((result["verdict"], result["trouble"]), ("violated", []))
            self.assertIn("(peek 0 ", result["run"]["trace"])
        self.assertEqual(run("check", SYNCHRONOUS, "--buffering", "any").code, DEADLOCK)
        self.assertEqual(run("check", TWO_TAGS).code, HOLDS)
        self.assertEqual(run("check", TWO_TAGS, "--buffering", "any").code, DEADLOCK)

    def test_fewest_sends_that_refuse(self):
        """They are looked for once more from the way to the first deadlock on, which has a probe on it."""
        path = self.write("( ( [00 (sndi s 0 1 3)] [01 (wait s)] bot ) ( [10 (probe p 1)] [11 (sndi q 1 0 1)] [12 (wait q)] bot ) )")
        result = json_of("check", path, "--buffering", "any")["results"][0]["deadlock"]
        self.assertEqual((result["answer"], result["depends_on_library"]), ("yes", True))

    def test_engines(self):
        """The engines that know no `probe` say so, and the machine decides."""
        for engine in ("sat", "smt"):
            result = json_of("check", FROM_ANYBODY, "--engine", engine)["results"][0]
            self.assertEqual((result["verdict"], result["trouble"]),
                             ("violated", [{"kind": "limit", "what": f"{engine}: the program has probes that take nothing"}]))

    def test_commands_that_know_none(self):
        self.refused("encode", FROM_ANYBODY, saying="knows no probes")
        self.refused("smt", FROM_ANYBODY, "--trace", "1", saying="probes")
        self.refused("check", FROM_ANYBODY, "--model", "all", "--trace", "1", saying="the models know no probes")
        self.assertIn("the program has probes that take nothing", asked(FROM_ANYBODY)[0]["error"]["message"])

    def test_mprobes_are_lowered(self):
        """Solvers, the oracle and certificates know what an mprobe takes, if it starts at once or no send waits for that."""
        first = "( ( [00 (rcvi r 0 x)] [01 (mprobe p 0 (source y))] %s [02 (start p z)] [03 (wait p)] [05 (wait r)] "
        sends = "[04 (assert (=> (= y 2) (and (= x 1) (= z 2))))] bot ) ( [10 (sndi s 1 0 1)] [11 (wait s)] bot ) ( [20 (sndi t 2 0 2)] bot ) )"
        at_once, late = (self.write((first % more) + sends, f"mprobe{len(more)}.ctp") for more in ("", "[06 (f := 1)]"))
        for path, buffering in ((at_once, "infinite"), (at_once, "zero"), (late, "infinite")):
            for engine in ("sat", "smt"):
                result = json_of("check", path, "--buffering", buffering, "--engine", engine)["results"][0]
                self.assertEqual((result["verdict"], result["trouble"]), ("safe", []))
            self.assertEqual(run("encode", path, "--buffering", buffering).code, HOLDS)
            folder = self.folder / f"{path.name}.{buffering}"
            self.assertEqual(run("check", path, "--buffering", buffering, "--certificate", folder).code, HOLDS)
            self.assertEqual(checked(folder, path)[0], 0)
        for engine in ("sat", "smt"):
            result = json_of("check", late, "--buffering", "zero", "--engine", engine)["results"][0]
            self.assertIn("can take the message of `s`", result["trouble"][0]["what"])
        self.refused("encode", late, "--buffering", "zero", saying="knows no probes of programs that are not lowered: `p` can take")
        none = run("check", late, "--buffering", "zero", "--certificate", self.folder / "none")
        self.assertEqual((none.code, (self.folder / "none").exists()), (UNKNOWN, False))
        self.assertIn("there is none: `p` can take the message of `s`", none.error_text)
        trace = asked(at_once, ("feasible", {"matches": {"p": "s", "r": "t"}}))[1]["result"]["trace"]
        self.assertEqual(asked(at_once, ("trace", {"trace": trace}))[1]["result"]["status"], "success")
        self.assertEqual([entry for entry in trace if entry[0] in ("00", "01")], [["00"], ["01", [0, 2], ["peek", 0, 1]]])

    def test_shared_variables(self):
        """`check` and `explore` run them together. Ready sends beside them are not explored."""
        path = self.write(BEHIND_WHEN + "\n( (10 bot) (00 ((peek 0 1) bot)) (01 bot) (02 ((0 1) bot)) (03 bot) (11 bot) (12 bot) )\n")
        self.assertEqual(run("run", path).code, HOLDS)
        for buffering in BUFFERINGS:
            about = json_of("check", path, "--buffering", buffering)
            result = about["results"][0]
            self.assertEqual((result["verdict"], result["deadlock"]["answer"]), ("no assertion", "no"))
        classes = json_of("explore", path)["executions"]
        self.assertEqual([(c["end"], c["sees"]) for c in classes], [("complete", [{"probe": "p", "send": "s"}])])
        self.assertIn("p sees s", run("explore", path).text)
        ready = self.write(BEHIND_WHEN.replace("sndi", "rsndi"))
        result = run("check", ready)
        self.assertEqual(result.code, UNKNOWN)
        self.assertIn("a program with probes and ready sends", result.text)

    def test_rules(self):
        for text, said in (("( ( [0 (mprobe p 0)] [1 (start p x)] bot ) )", "D3"),
                           ("( ( [0 (start p x)] bot ) )", "`p`"),
                           ("( ( [0 (probe p 0 (source y) (source z))] bot ) )", "S8"),
                           ("( ( [0 (probe p 0)] [1 (wait p)] bot ) )", "D2")):
            result = run("lint", "--strict", self.write(text))
            self.assertEqual(result.code, BAD_INPUT, text)
            self.assertIn(said, result.text + result.error_text)

    def test_canonical_form(self):
        for path in filter(has_probes, programs()):
            once = run("fmt", path).text
            self.assertEqual(run("fmt", "-", stdin=once.encode()).text, once)
            self.assertEqual(json_of("run", self.write(once))["traces"], json_of("run", path)["traces"])


if __name__ == "__main__":
    unittest.main()
