/**
 * Lays the files of a try, and takes a picture of a tree: names, kinds, modes, targets of links and contents. Two pictures
 * are compared as text, so a try that changed anything at all is seen, whatever it answered.
 *
 * Usual mistake: to follow links in the picture. What a link leads to is a file of another picture.
 */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** @param fill puts the folders in the place of their signs */
export function layFiles(below: string, files: Readonly<Record<string, string>>, fill: (text: string) => string): void {
  mkdirSync(below, { recursive: true });
  for (const [name, value] of Object.entries(files)) {
    const given = fill(name);
    const path = isAbsolute(given) ? given : join(below, given);
    layFile(path, fill(value), below);
  }
}

/** Describes a tree as text; equal trees give equal texts. */
export function pictureOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return `${path} is absent\n`;
  const head = `${path} ${found.mode.toString(8)}`;
  if (found.isSymbolicLink()) return `${head} -> ${readlinkSync(path)}\n`;
  if (!found.isDirectory()) return `${head} ${readFileSync(path).toString("base64")}\n`;
  const names = readdirSync(path).sort();
  return `${head}\n${names.map((name) => pictureOf(join(path, name))).join("")}`;
}

function layFile(path: string, value: string, below: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (path.endsWith("/")) mkdirSync(path, { recursive: true });
  else if (value.startsWith("-> ")) symlinkSync(value.slice(3), path);
  else if (value.startsWith("= ")) linkSync(join(below, value.slice(2)), path);
  else writeFileSync(path, value);
  if (value.startsWith("#!")) chmodSync(path, 0o755);
}
