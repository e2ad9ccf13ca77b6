/**
 * A hint that names a call or an argument, with a call that is told it and what that call becomes when the hint is obeyed.
 */
import type { RawConfig } from "../../src/config/index.ts";
import type { FileTree } from "../host/file-tree.ts";
import { openTestHost, type CallAnswer, type TestHost, type Json, type Members } from "../host/in-memory-host.ts";
import { openCommandHost } from "../proc/command-host.ts";

export type ToolCall = readonly [tool: string, args: Members];

export interface CallHint {
  /** A part of it as it stands in the answer, and in the source unless `from` has the texts of that. */
  readonly says: string;
  readonly from?: readonly string[];
  readonly files?: FileTree;
  /** Default: everything is made at once. */
  readonly config?: RawConfig;
  /** What the files need besides. */
  readonly prepare?: (host: TestHost) => unknown;
  readonly call: ToolCall | ((host: TestHost) => Promise<ToolCall>);
  /** What the hint asks for; the last call must do it. Default: the same call with the settings that the hint names. */
  readonly next?: (told: Told) => readonly ToolCall[] | Promise<readonly ToolCall[]>;
  /** The host looks for it only for a moment, which on a busy machine is over before it has looked: it is asked again. */
  readonly isGlance?: true;
  /** What it promised. @param answer to the last call */
  readonly holds: (answer: CallAnswer, host: TestHost) => unknown;
}

export interface Told {
  readonly text: string;
  readonly answer: CallAnswer;
  readonly host: TestHost;
  /** The sha256 of a file, as a model gets it. */
  readonly hashOf: (path: string) => Promise<string>;
}

/** Makes the call, obeys the hint, and looks at what it promised. */
export async function obey(hint: CallHint): Promise<void> {
  const { files = {}, config = {}, prepare, call, says, next, isGlance = false, holds } = hint;
  const open = config.commands ? openCommandHost : openTestHost;
  await using host = open({ files, config: { mode: "bypass", ...config } });
  await prepare?.(host);
  const first = typeof call === "function" ? await call(host) : call;
  let answer = await host.call(...first);
  for (let asked = 1; isGlance && asked < MOST_GLANCES && !answer.all.includes(says); asked++)
    answer = await host.call(...first);
  if (!answer.all.includes(says)) throw new Error(`it is not told "${says}": ${answer.all}`);
  const hashOf = async (path: string): Promise<string> =>
    (await host.call("hash_file", { path })).text.split(" ")[0] ?? "";
  const calls = next ? await next({ text: answer.all, answer, host, hashOf }) : [changed(first, answer.all)];
  let last = answer;
  for (const one of calls) {
    last = await host.call(...one);
    if (last.failure) throw new Error(`${JSON.stringify(one)} does not do what "${says}" says: ${last.all}`);
  }
  await holds(last, host);
}

/** On no machine is every one of so many too short. */
const MOST_GLANCES = 200;

/** `with`, `pass` or `give it as`, then settings as `literal: true`, of another tool where one is named before. */
function changed([tool, args]: ToolCall, text: string): ToolCall {
  const settings = settingsIn(text);
  if (Object.keys(settings).length === 0) throw new Error(`no argument is named in: ${text}`);
  const [, other = tool] = /\b(?:[Uu]se |\()?(\w+_\w+) with \w+: /.exec(text) ?? [];
  return [other, { ...args, ...settings }];
}

const VALUE = String.raw`true|false|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|base64|auto|utf-8`;
const SETTING = new RegExp(
  String.raw`(?:pass|[Pp]ass|with|give it as|[Uu]se|or) (?:\w+_\w+ with )?(\w+): (${VALUE})(?=[.,; )]|$)`,
  "gm",
);

/** The first of every name. */
export function settingsIn(text: string): Json {
  const found = [...text.matchAll(SETTING)].reverse();
  return Object.fromEntries(found.map(([, name, value = ""]) => [name, valueOf(value)]));
}

function valueOf(text: string): unknown {
  return /^[\w-]+$/.test(text) && !/^(?:true|false)$/.test(text) ? text : JSON.parse(text);
}
