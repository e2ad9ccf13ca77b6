/**
 * Whether the system can start a file of a space as a program: by its first bytes, as execve looks at it. A shell would take a
 * script without a first line too, so its author does not notice; no shell stands between here, and each call of a tool that a
 * person has approved would fail.
 */
import { existsSync } from "node:fs";

/** ELF, and Mach-O of one architecture and of several. */
const COMPILED = ["7f454c46", "cffaedfe", "cefaedfe", "feedfacf", "feedface", "cafebabe"];
/** So much of the first line Linux looks at. */
const MAX_LINE_BYTES = 255;
const MEND = "its first line must be #!/bin/sh, or name another program by its whole path: #!/usr/bin/env python3";

/** @returns why not, and what to write, for a person; `undefined` for what can be started */
export function whyNotStartable(bytes: Buffer): string | undefined {
  if (COMPILED.includes(bytes.toString("hex", 0, 4))) return undefined;
  const head = bytes.toString("latin1", 0, MAX_LINE_BYTES + 1);
  if (head.startsWith("\xef\xbb\xbf#!")) return `${MEND}, without a byte order mark before it`;
  if (!head.startsWith("#!")) return MEND;
  const [line = ""] = head.split("\n");
  if (line.endsWith("\r")) return "its first line ends with CR LF, which becomes a part of a name: write it with LF";
  const program = /^#![ \t]*(\/[^ \t]+)/.exec(line)?.[1];
  if (program === undefined || line.length > MAX_LINE_BYTES) return MEND;
  return existsSync(program) ? undefined : `its first line names ${program.slice(0, 100)}, which is not there`;
}
