/**
 * Reads one file of `test/fixtures/scenarios`: a text archive with sections that begin with `-- name --`.
 *
 *     What the scenario shows, in a sentence.
 *     -- a.txt --             the files before the call
 *     -- config --            settings of the host, in YAML
 *     -- call edit_file --    the arguments of the call, in YAML
 *     -- a.txt --             the files after it that differ from those before; `(gone)` for one that is no longer there
 *     -- answer --            what the call answers, in YAML; see `Answer`
 *
 * A file is its text, every line with LF. Marks in parentheses say what text cannot; `MARKS` has them all.
 */
import { parse } from "yaml";
import type { RawConfig } from "../../src/config/index.ts";
import { normalTree, type Entry, type FileTree } from "../host/file-tree.ts";

export interface Scenario {
  /** What the scenario shows. */
  readonly about: string;
  readonly tool: string;
  readonly arguments: object;
  readonly config: RawConfig;
  readonly before: FileTree;
  readonly after: FileTree;
  readonly answer: Answer;
}

export interface Answer {
  /** `proposed`, and then applied; `unchanged`; or the code of the failure. */
  readonly outcome: string;
  /** Pieces of the answer's text. */
  readonly contains?: readonly string[];
  /** Contents that the undo store must hold afterwards. */
  readonly undo?: readonly string[];
}

interface Section {
  readonly name: string;
  readonly marks: readonly string[];
  readonly body: string;
}

/** @throws Error that says what is wrong with the archive */
export function readScenario(text: string): Scenario {
  if (text.includes("\r")) throw new Error("a scenario has lines with LF only; give other bytes as (json)");
  const [about, ...sections] = splitSections(text);
  const at = sections.findIndex(({ name }) => name.startsWith("call "));
  const call = sections[at];
  const last = sections.at(-1);
  if (about === "" || !call || last?.name !== "answer")
    throw new Error("a scenario needs a first sentence, one call, and an answer at its end");
  const config = sections.slice(0, at).find(({ name }) => name === "config");
  const before = filesOf(sections.slice(0, at).filter((section) => section !== config));
  return {
    about,
    tool: call.name.slice("call ".length),
    arguments: parse(call.body) as object,
    config: config ? (parse(config.body) as RawConfig) : {},
    before,
    after: filesOf(sections.slice(at + 1, -1), normalTree(before)),
    answer: parse(last.body) as Answer,
  };
}

/** `-- "new\nline.txt" (mode 755) (json) --`: a name, in quotes where it needs them, and marks. */
const HEADING = /^-- ("(?:[^"\\]|\\.)*"|\S(?:.*?\S)??)((?: \([^()]*\))*) --$/;

function splitSections(text: string): [about: string, ...sections: Section[]] {
  const parts = text.split(/^(?=-- .* --$)/m);
  const about = text.startsWith("-- ") ? "" : (parts.shift() ?? "");
  const sections = parts.map((part): Section => {
    const end = part.indexOf("\n");
    const [, name = "", marks = ""] = HEADING.exec(part.slice(0, end)) ?? [];
    return {
      name: name.startsWith('"') ? (JSON.parse(name) as string) : name,
      marks: [...marks.matchAll(/\(([^()]*)\)/g)].map(([, mark = ""]) => mark),
      body: part.slice(end + 1),
    };
  });
  return [about.trim(), ...sections];
}

/** @param below the files that are there when a section does not say otherwise */
function filesOf(sections: readonly Section[], below: FileTree = {}): FileTree {
  const files: Record<string, Entry> = { ...below };
  for (const { name, marks, body } of sections)
    if (marks.includes("gone")) {
      if (!Object.hasOwn(files, name)) throw new Error(`"${name}" is gone, and was never there`);
      delete files[name];
    } else files[name] = entryOf(marks, body);
  return files;
}

function entryOf(marks: readonly string[], body: string): Entry {
  let entry: Entry = body;
  for (const mark of marks) {
    const [word = ""] = mark.split(" ");
    const read = Object.hasOwn(MARKS, word) ? MARKS[word] : undefined;
    if (!read) throw new Error(`there is no mark (${mark})`);
    entry = read(entry, mark.slice(word.length + 1));
  }
  return entry;
}

type Read = (entry: Entry, argument: string) => Entry;

/** What may stand in parentheses after a name, besides `(gone)`; several stand in this order. */
const MARKS: Readonly<Record<string, Read>> = {
  /** The text has no newline at its end: that of the archive's last line is not part of it. */
  unterminated: (entry) => textOf(entry).replace(/\n$/, ""),
  /** The text is one JSON string: for carriage returns, byte order marks and controls. */
  json: (entry) => JSON.parse(textOf(entry)) as string,
  /** Any bytes. */
  base64: (entry) => ({ base64: textOf(entry).trim() }),
  /** The permissions in octal, when they are not 644. */
  mode: (entry, mode) =>
    typeof entry === "object" && "base64" in entry
      ? { base64: entry.base64, mode: `0${mode}` }
      : { text: textOf(entry), mode: `0${mode}` },
  /** `(link to b)`: a symbolic link. */
  link: (_, target) => ({ link: target.slice("to ".length) }),
  /** `(hardlink to b)`: another name of a file that stands before it. */
  hardlink: (_, target) => ({ hardlink: target.slice("to ".length) }),
  /** An empty directory; others are there because of their files. */
  directory: () => ({ directory: true }),
  fifo: () => ({ fifo: true }),
};

function textOf(entry: Entry): string {
  if (typeof entry === "string") return entry;
  throw new Error("two marks of one file contradict each other");
}
