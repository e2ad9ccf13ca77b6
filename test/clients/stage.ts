/**
 * What runs inside of the network namespace of one test: the mock model and, as its child, the client. Given the path of a
 * file with its part (`Part`), it tells on stdout, a line of JSON each, what happens; it ends with the client.
 *
 * Invariant: nothing here decides whether something was right; the test does, from what it is told.
 */
import { readFileSync } from "node:fs";
import { startMockModel, type Turn } from "./mock-model.ts";
import type { Conversation } from "./wires/wire-format.ts";

export interface Part {
  readonly script: readonly Turn[];
  /** The client, with `PORT` for the port of the model. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A file for what the client prints; its stderr goes beside it, to `.err`. */
  readonly output: string;
}

export type Told =
  | { readonly type: "started"; readonly pid: number }
  | { readonly type: "asked"; readonly asked: Conversation }
  | { readonly type: "ended"; readonly code: number | null };

const part = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Part;
const { port } = startMockModel(part.script, (asked) => tell({ type: "asked", asked }));
const withPort = (text: string): string => text.replaceAll("PORT", String(port));

const client = Bun.spawn(part.command.map(withPort), {
  cwd: part.cwd,
  env: Object.fromEntries(Object.entries(part.env).map(([name, value]) => [name, withPort(value)])),
  stdin: "ignore",
  // A process group of its own, as in a terminal, where Ctrl-C reaches a program and what it has started.
  detached: true,
  // Files and no pipes: what a client leaves behind would keep a pipe open, and its end must be seen all the same.
  stdout: Bun.file(part.output),
  stderr: Bun.file(part.output + ".err"),
});
tell({ type: "started", pid: client.pid });
await client.exited;
tell({ type: "ended", code: client.exitCode });
process.exit(0);

function tell(told: Told): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
