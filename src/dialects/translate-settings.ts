/**
 * Parameters in sentences that we wrote, under the names of a row: `pass literal: true`, `give it as include: ["*.ts"]`,
 * `a longer timeout_ms`. Where a sentence has several ways and one needs a parameter that the row does not show, that way is left
 * out; the only way stays in our name, which is taken.
 */
import { parametersOf } from "../contract/index.ts";
import type { CompiledRow } from "./compile-row.ts";
import type { Arguments, Parameter } from "./dialect-table.ts";

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const QUOTED = new RegExp(`${TEXT}|\`[^\`]*\``, "g");
const QUOTED_SETTING = new RegExp(`${QUOTED.source}|\\b([a-z_]+): (${TEXT}|\\[${TEXT}(?:, ?${TEXT})*\\])`, "g");
/** `literal: true`, `encoding: base64`. */
const PLAIN_SETTING = /\b([a-z_]+): (true|false|[a-z\d-]+)(?!\w)/g;
/** Only names with an underscore: others are English words as well. */
const BARE_NAME = /(?<![\w/.[-])([a-z]+(?:_[a-z]+)+)(?![\w/-]|\.\w|: )/g;
const BETWEEN_SENTENCES = /(?<=[.!?]) /;
const BETWEEN_WAYS = ", or ";
/** What ends a sentence, also one whose last way goes. */
const END = /[.)\]]*$/;
/** A setting in a way, whose quotes are numbers between NULs; only a plain value is told. */
const NEEDED = /\b([a-z_]+): (?:([a-z\d-]+)(?!\w)|[\u0000[\w-])/g;
/** How an edit says it that knows no tool. */
const REPLACE_ALL = "ask to replace all";

/** `include: ["*.ts"]`, `case: "insensitive"`. */
export function quotedSettings(text: string, compiled: CompiledRow): string {
  return text.replaceAll(QUOTED_SETTING, (all, name?: string, json?: string) => {
    if (name === undefined || json === undefined) return all;
    return settingOf(compiled, name, readJson(json), JSON.stringify) ?? all;
  });
}

/** @param text without what stands in quotes */
export function plainSettings(text: string, compiled: CompiledRow): string {
  return text
    .replaceAll(PLAIN_SETTING, (all, name: string, value: string) => {
      const ours = value === "true" ? true : value === "false" ? false : value;
      return settingOf(compiled, name, ours, String) ?? all;
    })
    .replaceAll(BARE_NAME, (name) => nameOf(compiled, name) ?? name);
}

/** @param isTool tells a name of ours, which is written as it is where a sentence begins */
export function leaveOutWays(text: string, compiled: CompiledRow, isTool: (word: string) => boolean): string {
  if (!text.includes(BETWEEN_WAYS) || isBare(compiled)) return text;
  const quotes: string[] = [];
  const bare = text.replaceAll(QUOTED, (quote) => `\u0000${quotes.push(quote) - 1}\u0000`);
  const left = bare
    .split(BETWEEN_SENTENCES)
    .map((sentence) => leaveOutOf(sentence, compiled, isTool))
    .join(" ");
  return left.replaceAll(/\u0000(\d+)\u0000/g, (_, index: string) => quotes[Number(index)] ?? "");
}

function leaveOutOf(sentence: string, compiled: CompiledRow, isTool: (word: string) => boolean): string {
  const end = END.exec(sentence)?.[0] ?? "";
  const ways = sentence.slice(0, sentence.length - end.length).split(BETWEEN_WAYS);
  const kept = ways.filter((way) => !needsUnshown(way, compiled));
  if (kept.length === 0 || kept.length === ways.length) return sentence;
  const left = kept.join(BETWEEN_WAYS) + end;
  return /^[A-Z]/.test(sentence) ? left.replace(/^[a-z_]+/, (word) => (isTool(word) ? word : capitalized(word))) : left;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function needsUnshown(way: string, compiled: CompiledRow): boolean {
  const ours = parametersOf(compiled.tool);
  const isMissing = (name: string, value?: string): boolean =>
    Object.hasOwn(ours, name) && !isShown(compiled, name, value);
  return (
    (way.includes(REPLACE_ALL) && isMissing("replace_all")) ||
    [...way.matchAll(NEEDED)].some(([, name = "", value]) => isMissing(name, value)) ||
    [...way.matchAll(BARE_NAME)].some(([, name = ""]) => isMissing(name))
  );
}

/** @param value as a sentence says it; only what the dialect has a word for can be chosen */
function isShown({ row }: CompiledRow, name: string, value?: string): boolean {
  return Object.values(row.parameters).some(({ to, choose, members = {}, older }) => {
    if (older) return false;
    const means = (meant: Arguments): boolean =>
      Object.hasOwn(meant, name) && (value === undefined || String(meant[name]) === value);
    return choose
      ? Object.values(choose).some(means)
      : to === name || Object.values(members).some((member) => member.to === name);
  });
}

/** A tool that is called by its own name has its own parameters. */
function isBare({ row, tool }: CompiledRow): boolean {
  return row.name === tool.name && Object.keys(row.parameters).length === 0;
}

function nameOf({ row, tool }: CompiledRow, name: string): string | undefined {
  if (!Object.hasOwn(parametersOf(tool), name)) return undefined;
  const means = ([, { to, older }]: readonly [string, Parameter]): boolean => to === name && !older;
  return Object.entries(row.parameters).find(means)?.[0];
}

function settingOf(
  compiled: CompiledRow,
  name: string,
  ours: unknown,
  say: (value: unknown) => string,
): string | undefined {
  if (ours === undefined || !Object.hasOwn(parametersOf(compiled.tool), name)) return undefined;
  const all = Object.entries(compiled.toTheirs({ [name]: ours }));
  // A call that lacks what is required cannot be read back, and so ours stands beside theirs.
  const said = all.length > 1 ? all.filter(([key]) => key !== name) : all;
  return said.length === 0 ? undefined : said.map(([key, one]) => `${key}: ${say(one)}`).join(", ");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
