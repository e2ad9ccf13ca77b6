/**
 * Our own words about the next step, in the dialect's names: `To go on: read_file {"path":...}`, `Use edit_file`, `pass
 * literal: true`. Only sentences that we wrote are given to it, never the text of a file; what stands in quotes or behind a
 * slash is somebody's name and stays.
 */
import { parametersOf } from "../contract/index.ts";
import type { CompiledRow } from "./compile-row.ts";
import type { Arguments } from "./dialect-table.ts";

/** @param row of the call that is answered: its name goes first where several stand for one tool of ours */
export type Translate = (text: string, row: CompiledRow) => string;

/** Names that are also English words; they are translated only where a call stands. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["delete", "move", "copy", "shell", "tree", "stat"]);

export function createTranslate(rows: readonly CompiledRow[]): Translate {
  const byTool = new Map<string, CompiledRow>();
  for (const row of rows) if (!byTool.has(row.tool.name)) byTool.set(row.tool.name, row);
  const names = [...byTool.keys()];
  const call = new RegExp(String.raw`(?<![\w/.-])(${names.join("|")}) (?=\{")`, "g");
  const words = names.filter((name) => !PLAIN_WORDS.has(name));
  const word = new RegExp(String.raw`(?<![\w/.[-])(${words.join("|")})(?![\w/-]|\.\w|: )`, "g");
  const rowOf = (name: string, current: CompiledRow): CompiledRow | undefined =>
    current.tool.name === name ? current : byTool.get(name);

  return (text, current) => {
    const out: string[] = [];
    let at = 0;
    for (const found of text.matchAll(call)) {
      const row = rowOf(found[1] ?? "", current);
      const start = found.index + found[0].length;
      const end = endOfObject(text, start);
      if (!row || end === undefined || found.index < at) continue;
      out.push(inWords(text.slice(at, found.index), current), callOf(row, text.slice(start, end)));
      at = end;
    }
    return [...out, inWords(text.slice(at), current)].join("");
  };

  function inWords(text: string, current: CompiledRow): string {
    return text
      .replace(/^Cannot call "([a-z_]+)"/, (all, name: string) =>
        all.replace(name, rowOf(name, current)?.row.name ?? name),
      )
      .split(QUOTED)
      .map((part, index) => (index % 2 === 0 ? ownWords(part, current) : part))
      .join("");
  }

  function ownWords(text: string, current: CompiledRow): string {
    return text
      .replaceAll(word, (name) => rowOf(name, current)?.row.name ?? name)
      .replaceAll(SETTING, (all, name: string, value: string) => settingOf(current, name, value) ?? all);
  }
}

const QUOTED = /("(?:[^"\\]|\\.)*"|`[^`]*`)/;
/** `literal: true`, `encoding: base64`. */
const SETTING = /\b([a-z_]+): (true|false|[a-z\d-]+)(?!\w)/g;

function settingOf(compiled: CompiledRow, name: string, value: string): string | undefined {
  if (!Object.hasOwn(parametersOf(compiled.tool), name)) return undefined;
  const ours = value === "true" ? true : value === "false" ? false : value;
  const said = Object.entries(compiled.toTheirs({ [name]: ours }));
  return said.length === 0 ? undefined : said.map(([key, one]) => `${key}: ${String(one)}`).join(", ");
}

function callOf(compiled: CompiledRow, json: string): string {
  try {
    return `${compiled.row.name} ${JSON.stringify(compiled.toTheirs(JSON.parse(json) as Arguments))}`;
  } catch {
    return `${compiled.row.name} ${json}`;
  }
}

/** The offset behind the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
