// A session by the client that Microsoft tests debug adapters with, for tests/editors/vscode.py --npm.
//
//   node client.js MODULES BINARY PROGRAM      fails if an answer is not what it should be; PROGRAM is traces/figure1.ctp
"use strict";

const assert = require("assert");
const path = require("path");

const [modules, binary, program] = process.argv.slice(2);
const { DebugClient } = require(path.join(modules, "@vscode/debugadapter-testsupport"));

async function session(launch, body) {
  const client = new DebugClient(binary, "dap", "matchpoint");
  await client.start();
  try {
    await body(client, { program, ...launch });
  } finally {
    await client.stop();
  }
}

/** Stops at a line, as a mouse click in the margin does. */
async function breakpoint(client, launch) {
  await client.hitBreakpoint({ ...launch, stopOnEntry: false }, { path: program, line: 17 }, { line: 17 });
  const { body: stack } = await client.stackTraceRequest({ threadId: 2 });
  assert.strictEqual(stack.stackFrames[0].name, "13 (rcvi R3 1 C)");
}

/** Along a trace to its failure, and back. */
async function failure(client, launch) {
  await Promise.all([
    client.configurationSequence(),
    client.launch({ ...launch, trace: 2 }),
    client.assertStoppedLocation("entry", { path: program }),
  ]);
  await Promise.all([
    client.continueRequest({ threadId: 1 }),
    client.assertStoppedLocation("exception", { path: program }),
    client.assertOutput("important", "an assertion does not hold: assertion at 09"),
  ]);
  const { body } = await client.exceptionInfoRequest({ threadId: 1 });
  assert.strictEqual(body.exceptionId, "failure");
  await Promise.all([client.stepBackRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  const { body: stack } = await client.stackTraceRequest({ threadId: 1 });
  assert.strictEqual(stack.stackFrames[0].name, "09 (assert (= a 4))");
  const { body: scopes } = await client.scopesRequest({ frameId: stack.stackFrames[0].id });
  const { body: variables } = await client.variablesRequest({
    variablesReference: scopes.scopes[0].variablesReference,
  });
  assert.strictEqual(variables.variables.find((v) => v.name === "a").value, "1");
}

/** To the end of what the binary chooses: it takes the first choice, and that run succeeds. */
async function end(client, launch) {
  const stops = [];
  client.on("stopped", ({ body }) => stops.push(body.reason));
  await Promise.all([
    client.configurationSequence(),
    client.launch({ ...launch, schedule: "choose", stopOnEntry: false, stopAtEnd: false }),
    client.waitForEvent("exited").then(({ body }) => assert.strictEqual(body.exitCode, 0)),
    client.waitForEvent("terminated"),
  ]);
  assert.deepStrictEqual(stops, []);
}

(async () => {
  await session({}, breakpoint);
  await session({}, failure);
  await session({}, end);
})().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  }
);
