// Diagnostics, formatting, and the debug adapter. Everything that is said about a program comes from the binary.
"use strict";

const childProcess = require("child_process");
const vscode = require("vscode");

const language = "ctp";
/** After the last key, before a program is checked. */
const quietMilliseconds = 300;

const setting = (name) => vscode.workspace.getConfiguration("matchpoint").get(name);

let complained = false;

/** Once: the binary cannot be started. */
function complain(error) {
  if (complained) return;
  complained = true;
  vscode.window
    .showErrorMessage(`Matchpoint cannot run \`${setting("path")}\`: ${error.message}`, "Open settings")
    .then((choice) => {
      if (choice) vscode.commands.executeCommand("workbench.action.openSettings", "matchpoint.path");
    });
}

/** Runs `matchpoint ARGS...` with a text as its input. Null: it could not be started. */
function run(args, input) {
  return new Promise((resolve) => {
    const child = childProcess.spawn(setting("path"), args);
    const out = [];
    const err = [];
    child.on("error", (error) => {
      complain(error);
      resolve(null);
    });
    child.stdin.on("error", () => {}); // it may end before it has read everything
    child.stdout.on("data", (data) => out.push(data));
    child.stderr.on("data", (data) => err.push(data));
    child.on("close", (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() })
    );
    child.stdin.end(input);
  });
}

/** From a line and a column in code points, both from 1, to the end of the word there. */
function rangeAt(document, line, column) {
  const text = document.lineAt(Math.min(line, document.lineCount) - 1).text;
  const begin = Array.from(text).slice(0, column - 1).join("").length;
  const word = /^[^\s()[\];"{}]+/.exec(text.slice(begin));
  return new vscode.Range(line - 1, begin, line - 1, begin + (word ? word[0].length : 1));
}

function toDiagnostic(document, given) {
  const severity =
    given.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const place = (d) => rangeAt(document, d.line ?? 1, d.column ?? 1);
  const diagnostic = new vscode.Diagnostic(place(given), given.message, severity);
  diagnostic.source = "matchpoint";
  diagnostic.code = given.rule;
  diagnostic.relatedInformation = (given.notes ?? []).map(
    (note) => new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, place(note)), note.message)
  );
  return diagnostic;
}

/** Keeps the diagnostics of open programs up to date. */
class Linter {
  constructor() {
    this.collection = vscode.languages.createDiagnosticCollection("matchpoint");
    this.timers = new Map();
  }

  async lint(document) {
    if (document.languageId !== language) return;
    const version = document.version;
    const result = await run(["lint", "--format", "json", "-"], document.getText());
    if (result === null || document.isClosed || document.version !== version) return;
    try {
      const { diagnostics } = JSON.parse(result.out);
      this.collection.set(document.uri, diagnostics.map((d) => toDiagnostic(document, d)));
    } catch {
      // For example a text that is no UTF-8: then there is no report, but a message.
      const range = new vscode.Range(0, 0, 0, 1);
      this.collection.set(document.uri, [new vscode.Diagnostic(range, result.err.trim() || "matchpoint lint failed")]);
    }
  }

  soon(document) {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => this.lint(document), quietMilliseconds));
  }

  forget(document) {
    clearTimeout(this.timers.get(document.uri.toString()));
    this.timers.delete(document.uri.toString());
    this.collection.delete(document.uri);
  }
}

/** `matchpoint fmt`: the canonical form. A program with errors stays as it is. */
const formatter = {
  async provideDocumentFormattingEdits(document) {
    const result = await run(["fmt", "-"], document.getText());
    if (result === null || result.code !== 0) return [];
    const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    return [vscode.TextEdit.replace(all, result.out)];
  },
};

/** What the pointer hovers over while debugging: a name of the language, such as `a-b` or `02`. */
const evaluatable = {
  provideEvaluatableExpression(document, position) {
    const range = document.getWordRangeAtPosition(position);
    return range ? new vscode.EvaluatableExpression(range) : undefined;
  },
};

/** Debugging without a launch.json: the file in the editor. */
const configurations = {
  resolveDebugConfiguration(folder, configuration) {
    if (!configuration.type && !configuration.request) {
      const editor = vscode.window.activeTextEditor;
      if (!editor || editor.document.languageId !== language) return undefined;
      return { type: "matchpoint", request: "launch", name: "Matchpoint", program: "${file}" };
    }
    return configuration;
  },
};

const adapter = {
  createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(setting("path"), ["dap"]),
};

/** `matchpoint check` of the file in the editor, in a terminal. */
async function check() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.languageId !== language || !(await document.save())) return;
  const execution = new vscode.ProcessExecution(setting("path"), ["check", document.fileName]);
  const task = new vscode.Task({ type: "matchpoint" }, vscode.TaskScope.Workspace, "check", "matchpoint", execution);
  await vscode.tasks.executeTask(task);
}

function activate(context) {
  const linter = new Linter();
  const when = (...values) => values.includes(setting("lint"));
  context.subscriptions.push(
    linter.collection,
    vscode.workspace.onDidOpenTextDocument((document) => when("onType", "onSave") && linter.lint(document)),
    vscode.workspace.onDidSaveTextDocument((document) => when("onType", "onSave") && linter.lint(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => when("onType") && linter.soon(document)),
    vscode.workspace.onDidCloseTextDocument((document) => linter.forget(document)),
    vscode.workspace.onDidChangeConfiguration(() => (complained = false)),
    vscode.languages.registerDocumentFormattingEditProvider(language, formatter),
    vscode.languages.registerEvaluatableExpressionProvider(language, evaluatable),
    vscode.debug.registerDebugConfigurationProvider("matchpoint", configurations),
    vscode.debug.registerDebugAdapterDescriptorFactory("matchpoint", adapter),
    vscode.commands.registerCommand("matchpoint.check", check),
    vscode.commands.registerCommand("matchpoint.lint", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document && linter.lint(document);
    })
  );
  if (when("onType", "onSave")) vscode.workspace.textDocuments.forEach((document) => linter.lint(document));
}

module.exports = { activate, deactivate() {} };
