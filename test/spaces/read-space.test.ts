/**
 * One space as it is read, and the words of a command: what is a word, what is a parameter, and what needs a shell.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { loadFileParsers } from "../../src/config/index.ts";
import { readCommand } from "../../src/spaces/command-words.ts";
import { readSpace } from "../../src/spaces/read-space.ts";
import { laySpace } from "../systems/k/space-folder.ts";

const parsers = await loadFileParsers();

test("readCommand keeps quoted blanks together and finds parameters, alone or behind a flag", () => {
  expect(readCommand(`./a.sh 'b  c' "d e"f {{g}} --h={{ i }} -- ''`)).toEqual([
    { text: "./a.sh" },
    { text: "b  c" },
    { text: "d ef" },
    { parameter: "g", flag: "" },
    { parameter: "i", flag: "--h=" },
    { text: "--" },
    { text: "" },
  ]);
});

test.each(["a | b", "a && b", "a; b", "a > b", "a < b", "a $B", "a `b`", 'a "$b"', "a *", "a ~/b", "a\\ b", "a\nb"])(
  "readCommand refuses what needs a shell: %s",
  (command) => {
    expect(() => readCommand(command)).toThrow("needs a shell");
  },
);

test.each(["", "  ", "a 'b", "a {{b}}c", "a x{{b}}", "a {{b}} {{b}}", "a {{}}", "a {{b c}}", "a {b}", "{{a}}"])(
  "readCommand refuses what it cannot say as whole arguments: %s",
  (command) => {
    expect(() => readCommand(command)).toThrow();
  },
);

test("whatever a file of a space holds, reading the space throws nothing", () => {
  const texts = [
    "",
    "\0",
    "---",
    "{",
    "a: *x",
    "!!js/function x",
    "? [a]\n: b",
    "<<: 1",
    "description: {}",
    "command: 1",
  ];
  const top = mkdtempSync(join(tmpdir(), "ringfence-any-space-"));
  try {
    for (const [index, text] of texts.entries()) {
      const folder = join(top, String(index));
      laySpace(folder, { "tools/a.yaml": text, "tools/b.json": text, "agent/tools/c.md": text, "manifest.json": text });
      expect(readSpace(folder, parsers).tools).toEqual([]);
      rmSync(join(folder, "manifest.json"));
      expect(readSpace(folder, parsers).problems.length).toBeGreaterThan(0);
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

test("a manifest whose tools are no list is named, and the tools of files are there", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-manifest-space-"));
  const tool = "description: Counts.\ncommand: ./a.sh\n";
  try {
    laySpace(folder, { "manifest.json": '{"id":"s","tools":"x"}', "tools/a.yaml": tool, "tools/a.sh": "#!/bin/sh\n" });
    const { tools, problems } = readSpace(folder, parsers);
    expect([tools.map(({ id }) => id), problems]).toEqual([["a"], ["manifest.json: its tools are no list"]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a parameter has its type in either spelling", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-typed-space-"));
  const parameters = ["int", "integer", "bool", "boolean"].map((type) => `  - {name: a_${type}, type: ${type}}`);
  const tool = ["description: Counts.", "command: ./a.sh", "parameters:", ...parameters].join("\n");
  try {
    laySpace(folder, { "tools/a.yaml": tool, "tools/a.sh": "#!/bin/sh\n" });
    const { tools, problems } = readSpace(folder, parsers);
    expect([problems, Object.values(tools[0]?.parameters ?? {}).map(({ type }) => type)]).toEqual([
      [],
      ["integer", "integer", "boolean", "boolean"],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ["echo hello\n", "its first line must be #!/bin/sh, or name another program by its whole path"],
  ["", "its first line must be #!/bin/sh"],
  ["# a comment\n#!/bin/sh\n", "its first line must be #!/bin/sh"],
  ["#!sh\n", "its first line must be #!/bin/sh"],
  ["#!\n", "its first line must be #!/bin/sh"],
  ["\ufeff#!/bin/sh\n", "without a byte order mark before it"],
  ["#!/bin/sh\r\necho hello\r\n", "its first line ends with CR LF, which becomes a part of a name: write it with LF"],
  ["#!/nowhere/python3\n", "its first line names /nowhere/python3, which is not there"],
  ["#!/bin/sh", undefined],
  ["#! /bin/sh -e\necho a\r\n", undefined],
  ["#!/usr/bin/env sh\n", undefined],
  ["\u007fELF\u0002\u0001", undefined],
])("a script that the system cannot start is a problem of its space, and not offered: %j", (script, problem) => {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-startable-space-"));
  try {
    laySpace(folder, { "tools/a.yaml": "description: Says it.\ncommand: ./a.sh\n", "tools/a.sh": script });
    const { tools, problems } = readSpace(folder, parsers);
    expect(tools.map(({ id }) => id)).toEqual(problem === undefined ? ["a"] : []);
    if (problem === undefined) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringContaining(`its script tools/a.sh cannot be started: `)]);
    if (problem !== undefined) expect(problems[0]).toContain(problem);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a script that a program of the system reads needs no first line of its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-read-script-space-"));
  try {
    laySpace(folder, { "tools/a.yaml": "description: Says it.\ncommand: sh ./a.sh\n", "tools/a.sh": "echo hello\n" });
    expect(readSpace(folder, parsers)).toMatchObject({ tools: [{ id: "a" }], problems: [] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
