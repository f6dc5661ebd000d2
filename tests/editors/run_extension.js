// Runs editors/vscode/extension.js without an editor: `vscode` is what the extension uses of it, and no more.
//
//   node run_extension.js BINARY FILE      prints {"diagnostics": [...], "formatted": "...", "adapter": [...]}
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");

const [binary, file] = process.argv.slice(2);
const settings = { path: binary, lint: "onType" };
const registered = {};
const errors = [];
let resolveDiagnostics;
const diagnosed = new Promise((resolve) => (resolveDiagnostics = resolve));

class Range {
  constructor(...numbers) {
    this.numbers = numbers;
  }
}
const keeps = (name) => (...values) => {
  registered[name] = values;
  return { dispose() {} };
};
const vscode = {
  Range,
  Diagnostic: class {
    constructor(range, message, severity) {
      Object.assign(this, { range: range.numbers, message, severity });
    }
  },
  DiagnosticSeverity: { Error: "error", Warning: "warning" },
  DiagnosticRelatedInformation: class {
    constructor(location, message) {
      Object.assign(this, { range: location.range.numbers, message });
    }
  },
  Location: class {
    constructor(uri, range) {
      Object.assign(this, { uri, range });
    }
  },
  TextEdit: { replace: (range, text) => ({ range: range.numbers, text }) },
  DebugAdapterExecutable: class {
    constructor(command, args) {
      Object.assign(this, { command, args });
    }
  },
  EvaluatableExpression: class {},
  commands: { registerCommand: () => ({}), executeCommand() {} },
  debug: {
    registerDebugConfigurationProvider: keeps("configurations"),
    registerDebugAdapterDescriptorFactory: keeps("adapter"),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, all) => resolveDiagnostics(all), delete() {} }),
    registerDocumentFormattingEditProvider: keeps("formatter"),
    registerEvaluatableExpressionProvider: keeps("evaluatable"),
  },
  window: {
    activeTextEditor: { document: { languageId: "ctp" } },
    showErrorMessage: (message) => {
      errors.push(message);
      resolveDiagnostics([]);
      return Promise.resolve();
    },
  },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    textDocuments: [],
    onDidOpenTextDocument: keeps("opened"),
    onDidSaveTextDocument: keeps("saved"),
    onDidChangeTextDocument: keeps("changed"),
    onDidCloseTextDocument: keeps("closed"),
    onDidChangeConfiguration: keeps("configured"),
  },
};

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.resolve(__dirname, "../../editors/vscode/extension.js"));

const text = fs.readFileSync(file, "utf8");
const lines = text.split("\n");
const document = {
  languageId: "ctp",
  uri: file,
  version: 1,
  isClosed: false,
  lineCount: lines.length,
  getText: () => text,
  lineAt: (line) => ({ text: lines[line] }),
  positionAt: (offset) => offset,
};

(async () => {
  extension.activate({ subscriptions: [] });
  registered.opened[0](document);
  const diagnostics = await diagnosed;
  const edits = await registered.formatter[1].provideDocumentFormattingEdits(document);
  const adapter = registered.adapter[1].createDebugAdapterDescriptor();
  const configuration = registered.configurations[1].resolveDebugConfiguration(undefined, {});
  console.log(JSON.stringify({ diagnostics, edits, adapter, configuration, errors }));
})();
