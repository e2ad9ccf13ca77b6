/**
 * The texts of the reference filesystem server, made from our structured answers. They are the same byte for byte where our
 * rules do not differ, oddities included, because programs have been written against them.
 */
import { basename, dirname, extname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FailureData } from "../base/index.ts";
import type { Arguments, PlainAnswer, Show } from "./dialect-table.ts";

/** `tail` counts the empty line behind the last newline, `head` leaves out its last newline. */
export const fileText: Show = ({ given, text, structured }) => {
  if (structured["kind"] !== "text") return `${text} Use read_media_file for its bytes.`;
  const { head, tail } = given as { head?: number; tail?: number };
  if (tail) return plainLines(text).split("\n").slice(-tail).join("\n");
  return head ? text.replace(/\n$/, "") : text;
};

interface ManyFiles {
  readonly files: readonly {
    readonly kind: string;
    readonly text?: string;
    readonly failure?: FailureData;
  }[];
}

export const fileTexts: Show = ({ given, structured }) => {
  const { files } = structured as unknown as ManyFiles;
  const paths = given["paths"] as readonly string[];
  return files
    .map(({ kind, text, failure }, index) =>
      kind === "text"
        ? `${paths[index]}:\n${text}\n`
        : `${paths[index]}: Error - ${failure?.message ?? `it is ${kind}, not text`}`,
    )
    .join("\n---\n");
};

const MIME: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".bmp": "image/bmp",
  ".svg": "image/svg+xml",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
};

/** A block with the file; for one that does not fit into an answer only a text that says so, as half a picture is useless. */
export const media: Show = ({ structured, roots }) => {
  const { path, data, size, truncated } = structured as {
    path: string;
    data: string;
    size: number;
    truncated: boolean;
  };
  if (truncated) return { type: "text", text: `${path} has ${size} bytes, which is too much for one answer.` };
  const mimeType = MIME[extname(path).toLowerCase()] ?? "application/octet-stream";
  const kind = mimeType.split("/")[0];
  if (kind === "image" || kind === "audio") return { type: kind, data, mimeType };
  return {
    type: "resource",
    resource: { uri: pathToFileURL(absolute(path, roots)).href, mimeType, blob: data },
  };
};

interface ChangedFile {
  readonly absolute: string;
  readonly diff?: string;
}

/** As the library `diff` writes a patch: a head of four lines, lines without their CR. */
export const editDiff: Show = ({ given, structured, roots }) => {
  const [file] = structured["files"] as readonly ChangedFile[];
  const path = file?.absolute ?? absolute(String(given["path"]), roots);
  const hunks = (file?.diff ?? "")
    .split("\n")
    .slice(2)
    .map((line) => line.replace(/\r$/, ""))
    .join("\n");
  const head = `Index: ${path}\n${"=".repeat(67)}\n--- ${path}\toriginal\n+++ ${path}\tmodified\n`;
  const diff = head + hunks;
  const fence = "`".repeat(Math.max(3, ...[...diff.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}diff\n${diff}${fence}\n\n${notesOf(given, structured)}`;
};

/** An empty diff is what edits give that say the old text again; of any others it would hide that nothing was made. */
function notesOf(given: Arguments, { status, warnings }: Arguments): string {
  const edits = given["edits"] as readonly { readonly oldText: string; readonly newText: string }[];
  const isMeant = status === "unchanged" && edits.some(({ oldText, newText }) => oldText !== newText);
  return isMeant ? (warnings as readonly string[]).map((warning) => `Note: ${warning}\n`).join("") : "";
}

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly size: number;
}

export const names: Show = ({ structured }) =>
  entriesOf(structured)
    .map((entry) => `${mark(entry)} ${basename(entry.path)}`)
    .join("\n");

/** Column widths and the empty line before the sum are the reference's. */
export const sizes: Show = ({ given, structured }) => {
  const entries = [...entriesOf(structured)];
  if (given["sortBy"] !== "size") entries.sort((a, b) => basename(a.path).localeCompare(basename(b.path)));
  const lines = entries.map(
    (entry) =>
      `${mark(entry)} ${basename(entry.path).padEnd(30)} ${isDirectory(entry) ? "" : sizeOf(entry.size).padStart(10)}`,
  );
  const files = entries.filter((entry) => !isDirectory(entry));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return [
    ...lines,
    "",
    `Total: ${files.length} files, ${entries.length - files.length} directories`,
    `Combined size: ${sizeOf(total)}`,
  ].join("\n");
};

interface Node {
  readonly name: string;
  readonly type: "directory" | "file";
  readonly children?: Node[];
}

/** The list is depth first: what lies in a directory comes after it. */
export const tree: Show = ({ structured }) => {
  const top: Node[] = [];
  const within = new Map<string, Node[]>();
  for (const { path, type } of entriesOf(structured)) {
    const children: Node[] = [];
    const node: Node =
      type === "directory" ? { name: basename(path), type, children } : { name: basename(path), type: "file" };
    (within.get(dirname(path)) ?? top).push(node);
    if (type === "directory") within.set(path, children);
  }
  return JSON.stringify(top, null, 2);
};

export const found: Show = ({ structured, roots }) => {
  const paths = structured["paths"] as readonly string[];
  return paths.length === 0 ? "No matches found" : paths.map((path) => absolute(path, roots)).join("\n");
};

export const info: Show = ({ structured }) => {
  const { size, birthtime, mtime, atime, type, target_type: target, mode } = structured as Record<string, string>;
  const kind = target ?? type;
  const facts = {
    size,
    created: timeOf(birthtime ?? mtime),
    modified: timeOf(mtime),
    accessed: timeOf(atime),
    isDirectory: kind === "directory",
    isFile: kind === "file",
    permissions: mode?.slice(-3),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
};

function timeOf(time: string | undefined): string {
  return new Date(time ?? "").toString();
}

function plainLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function entriesOf(structured: Arguments): readonly Entry[] {
  return structured["entries"] as readonly Entry[];
}

function isDirectory({ type }: Entry): boolean {
  return type === "directory";
}

function mark(entry: Entry): string {
  return isDirectory(entry) ? "[DIR]" : "[FILE]";
}

/** Powers of 1024 under the names of powers of 1000, as there. */
function sizeOf(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  if (bytes <= 0) return "0 B";
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${units[power]}`;
}

/** Paths in our answers are relative to the first root. */
function absolute(path: string, roots: PlainAnswer["roots"]): string {
  return isAbsolute(path) ? path : join(roots[0] ?? "/", path);
}
