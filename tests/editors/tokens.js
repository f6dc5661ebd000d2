// The tokens of files by vscode-textmate, for tests/editors/vscode.py --npm.
//
//   node tokens.js MODULES GRAMMAR FILE...      prints {FILE: [[[begin, end, scope], ...] of each line]}
"use strict";

const fs = require("fs");
const path = require("path");

const [modules, grammarFile, ...files] = process.argv.slice(2);
const textmate = require(path.join(modules, "vscode-textmate"));
const oniguruma = require(path.join(modules, "vscode-oniguruma"));

(async () => {
  const wasm = fs.readFileSync(path.join(modules, "vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const grammar = await registry.loadGrammar("source.ctp");
  const result = {};
  for (const file of files) {
    let stack = textmate.INITIAL;
    result[file] = fs
      .readFileSync(file, "utf8")
      .split("\n")
      .map((line) => {
        const tokens = grammar.tokenizeLine(line, stack);
        stack = tokens.ruleStack;
        return tokens.tokens
          .filter((t) => t.scopes.length > 1)
          .map((t) => [t.startIndex, t.endIndex, t.scopes[t.scopes.length - 1]]);
      });
  }
  console.log(JSON.stringify(result));
})();
