/**
 * A directory tree as data, both ways: what a test lays down, and what it finds afterwards. Contents are text, or base64
 * where text would not be exact, so that no tool that touches the repository can change a byte of a case.
 *
 * Usual mistake: to leave out the mode when it matters; only modes other than 0644 and 0755 (directories) are shown.
 */
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export type Entry =
  | string
  | { readonly text: string; readonly mode?: string }
  | { readonly base64: string; readonly mode?: string }
  | { readonly link: string }
  /** Another name of a file of the same tree. */
  | { readonly hardlink: string }
  | { readonly directory: true; readonly mode?: string }
  | { readonly fifo: true };

/** Paths below the root; a path that ends in "/" is an empty directory. */
export type FileTree = Readonly<Record<string, Entry>>;

export function layFiles(root: string, files: FileTree): void {
  for (const [path, entry] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    layEntry(root, absolute, entry);
    const mode = typeof entry === "object" && "mode" in entry ? entry.mode : undefined;
    if (mode !== undefined) chmodSync(absolute, Number.parseInt(mode, 8));
  }
}

function layEntry(root: string, absolute: string, entry: Entry): void {
  if (typeof entry === "string") writeFileSync(absolute, entry, { mode: 0o644 });
  else if ("text" in entry) writeFileSync(absolute, entry.text, { mode: 0o644 });
  else if ("base64" in entry) writeFileSync(absolute, Buffer.from(entry.base64, "base64"), { mode: 0o644 });
  else if ("link" in entry) symlinkSync(entry.link, absolute);
  else if ("hardlink" in entry) linkSync(join(root, entry.hardlink), absolute);
  else if ("directory" in entry) mkdirSync(absolute, { recursive: true, mode: 0o755 });
  else makeFifo(absolute);
}

/** node:fs cannot make one. */
export function makeFifo(absolute: string): void {
  const { exitCode } = Bun.spawnSync(["mkfifo", absolute]);
  if (exitCode !== 0) throw new Error(`mkfifo ${absolute} failed`);
}

/** Gives everything below `root` the times of ten years ago. */
export function makeOld(root: string): void {
  const then = new Date("2016-01-01T00:00:00Z");
  for (const name of readdirSync(root, { recursive: true }) as string[]) lutimesSync(join(root, name), then, then);
}

/** Everything below `root`, in the form that `layFiles` takes; links are entries, empty directories are shown. */
export function readTree(root: string): FileTree {
  const found: Record<string, Entry> = {};
  const visit = (below: string): void => {
    for (const name of readdirSync(join(root, below)).sort()) {
      const path = below === "" ? name : `${below}/${name}`;
      const stat = lstatSync(join(root, path));
      if (!stat.isDirectory()) found[path] = readEntry(join(root, path));
      else if (readdirSync(join(root, path)).length === 0) found[path] = { directory: true };
      else visit(path);
    }
  };
  visit("");
  return found;
}

function readEntry(absolute: string): Entry {
  const stat = lstatSync(absolute);
  if (stat.isSymbolicLink()) return { link: readlinkSync(absolute) };
  if (stat.isFIFO()) return { fifo: true };
  return contentEntry(readFileSync(absolute), stat.mode & 0o7777);
}

function contentEntry(bytes: Buffer, modeBits: number): Entry {
  const mode = modeBits === 0o644 ? {} : { mode: `0${modeBits.toString(8)}` };
  const text = bytes.toString("utf8");
  const isPlain = Buffer.from(text, "utf8").equals(bytes) && !/[^\n\t\u0020-\u{10fffe}]|\ufeff/u.test(text);
  if (!isPlain) return { base64: bytes.toString("base64"), ...mode };
  return "mode" in mode ? { text, ...mode } : text;
}

/** Brings a tree into the form that `readTree` gives, so that two trees can be compared. */
export function normalTree(files: FileTree): FileTree {
  const normal: Record<string, Entry> = {};
  for (const [path, entry] of Object.entries(files)) {
    if (typeof entry === "string") normal[path] = contentEntry(Buffer.from(entry), 0o644);
    else if ("text" in entry || "base64" in entry) {
      const bytes = "text" in entry ? Buffer.from(entry.text) : Buffer.from(entry.base64, "base64");
      normal[path] = contentEntry(bytes, Number.parseInt(entry.mode ?? "0644", 8));
    } else if ("hardlink" in entry) normal[path] = normal[entry.hardlink] ?? entry;
    else normal[path.replace(/\/$/, "")] = entry;
  }
  return normal;
}
