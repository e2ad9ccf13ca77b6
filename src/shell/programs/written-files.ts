/**
 * Files that a call which fetches leaves behind, so that a later command that runs them is seen: what it gives as the
 * output, what the address ends in, what it copies from another machine.
 *
 * Usual mistake: to look for a scheme. `wget example.com/x.sh` has none.
 */
import { words, type Arg } from "../model.ts";
import { readLoosely, type CommandCall } from "./call.ts";

export function writtenFiles(call: CommandCall): Arg[] {
  const { name, args } = call;
  if (COPIERS.has(name)) return copiedFiles(args);
  const outputs = valuesOf(args, OUTPUT).filter(({ text }) => !/^(?:-|https?:)/.test(text));
  const folders = valuesOf(args, FOLDERS.get(name) ?? NONE);
  const keepsName = KEEPS_NAME.has(name) || args.some(({ text }) => /^-[a-zA-Z]*O$|^--remote-name/.test(text));
  // `-O` of curl takes no value: what stands behind it is an address.
  const given = new Set([...folders, ...(name === "curl" ? [] : outputs)].map(({ raw }) => raw));
  const kept = keepsName ? args.filter(({ raw }) => !given.has(raw)).flatMap(nameInAddress) : [];
  const below = [...outputs, ...kept].flatMap((file) => folders.map((folder) => within(folder, file)));
  return [...outputs, ...(folders.length > 0 ? [] : kept), ...below];
}

const OUTPUT = words("-o -O --out --output --output-document");
const FOLDERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["curl", words("--output-dir")],
  ["wget", words("-P --directory-prefix")],
  ["aria2c", words("-d --dir")],
]);
const NONE: ReadonlySet<string> = new Set();

/** The others print what they fetch, unless an option says otherwise. */
const KEEPS_NAME = words("wget aria2c axel fetch");
const COPIERS = words("scp rsync sftp rclone aws gsutil s3cmd");

/** `-o x`, `-ox`, `-sLo x`, `--output x`, `--output=x`. */
function valuesOf(args: readonly Arg[], names: ReadonlySet<string>): Arg[] {
  return args.flatMap((arg, at) => {
    const [, option = "", value = ""] = /^(--[\w-]+)=(.+)$/s.exec(arg.text) ?? /^(-\w)(.+)$/s.exec(arg.text) ?? [];
    if (names.has(option)) return { ...arg, text: value };
    return names.has(arg.text.replace(/^-[a-zA-Z]+(?=[a-zA-Z]$)/, "-")) ? (args[at + 1] ?? []) : [];
  });
}

/** The last name of its path. */
function nameInAddress(arg: Arg): Arg[] {
  const address = arg.text.replace(/^[a-z]+:\/\//i, "");
  const text = /^[^-/?#\s][^/?#\s]*\/(?:[^?#]*\/)?([^/?#]+)/.exec(address)?.[1];
  return text === undefined ? [] : [{ ...arg, text }];
}

/** From another machine, which stands before a colon: the target is the file, or the folder that gets it. */
function copiedFiles(args: readonly Arg[]): Arg[] {
  const { operands } = readLoosely(args);
  const target = operands.at(-1);
  if (target === undefined || isAfar(target)) return [];
  const sources = operands.filter(isAfar).map((arg) => ({ ...arg, text: arg.text.replace(/^.*[:/]/s, "") }));
  return sources.flatMap((source) => [target, within(target, source)]);
}

function isAfar({ text }: Arg): boolean {
  return /^[^/]+:/.test(text);
}

function within(folder: Arg, file: Arg): Arg {
  return { ...file, text: `${folder.text}/${file.text}` };
}
