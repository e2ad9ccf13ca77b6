/**
 * The configuration that docs/clients.md gives for a client, taken from the page itself, so that what is tested is what
 * people copy. In a client's section, a paragraph that begins with a path in backticks and ends with a colon is followed
 * by that file; a block of `sh` with `PROMPT` in it is how the client is started without a person.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

const PAGE = "docs/clients.md";

export interface Setup {
  /** Written `~/...` where it belongs to the home, else below the project. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What stands before the program: `NAME=value`. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands behind it, with `PROMPT` for the task. */
  readonly args: readonly string[];
}

/** @param section a heading of the page */
export function readSetup(section: string): Setup {
  const page = readFileSync(join(REPOSITORY, PAGE), "utf8");
  const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const files = [...text.matchAll(/^`([^`]+)`[^\n]*:\n\n```\w+\n([^]*?)^```$/gm)].map(
    ([, path = "", content = ""]) => ({ path, text: content }),
  );
  const line = /^```sh\n([^`]*PROMPT[^`]*)\n```$/m.exec(text)?.[1] ?? "";
  const words = line.split(" ").map((word) => word.replaceAll('"', ""));
  const program = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  if (files.length === 0 || line === "") throw new Error(`Cannot find a setup for ${section} in ${PAGE}`);
  return {
    files,
    env: Object.fromEntries(words.slice(0, program).map((word) => word.split("=") as [string, string])),
    args: words.slice(program + 1),
  };
}

/** Puts the files where the client looks for them, with this executable and this root. */
export function writeSetup(setup: Setup, place: { binary: string; root: string; home: string }): void {
  for (const { path, text } of setup.files) {
    const target = path.startsWith("~/") ? join(place.home, path.slice(2)) : join(place.root, path);
    const content = text
      .replaceAll("/usr/local/bin/ringfence", place.binary)
      .replaceAll("/path/to/project", place.root);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}
