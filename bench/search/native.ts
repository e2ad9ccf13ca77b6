/**
 * The native tools as they are measured: spawned, read to the last byte, waited for. They get two threads and the same
 * rules as our recursive tools: git's ignore files, none from above the tree or from the user, and the directories that
 * are skipped by default.
 */
import { rgPath } from "@vscode/ripgrep";
import type { Query } from "./queries.ts";

/** Names that recursive tools of ours skip; `.git` is hidden from the native tools anyway. */
const SKIPPED = ["node_modules", "dist", "coverage"];

export interface Run {
  readonly ms: number;
  readonly text: string;
}

/** @param okCodes exit codes that are no failure. @throws Error for any other */
export async function run(command: readonly string[], okCodes: readonly number[] = [0]): Promise<Run> {
  const started = performance.now();
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const text = await child.stdout.text();
  const code = await child.exited;
  const ms = performance.now() - started;
  if (!okCodes.includes(code)) throw new Error(`Cannot measure: ${command.join(" ")} ended with ${code}`);
  return { ms, text };
}

function ripgrep(...rest: readonly string[]): string[] {
  const skips = SKIPPED.flatMap((name) => ["-g", `!${name}/`]);
  return [rgPath, "--no-config", "--threads=2", "--no-ignore-parent", "--no-ignore-global", ...skips, ...rest];
}

export function countWithRipgrep({ args, flags }: Query, tree: string): string[] {
  return ripgrep("--count", ...flags, "-e", args.pattern, "--", tree);
}

/** Exit code 1 is "nothing found". */
export const RIPGREP_OK: readonly number[] = [0, 1];

export function filesWithRipgrep(glob: string, tree: string): string[] {
  // With a glob that includes, ripgrep also gives what ignore rules leave out; none is needed for everything.
  return ripgrep(
    "--files",
    ...(glob === "**/*" ? [] : ["--type-add", `wanted:${lastName(glob)}`, "-twanted"]),
    "--",
    tree,
  );
}

/** Debian calls it fdfind. `undefined` when it is not installed. */
export function filesWithFd(glob: string, tree: string): string[] | undefined {
  const fd = Bun.which("fdfind") ?? Bun.which("fd");
  if (fd === null) return undefined;
  const rules = ["--no-ignore-parent", "--no-global-ignore-file", "--threads=2", "--type=f"];
  const skips = SKIPPED.flatMap((name) => ["-E", `${name}/`]);
  return [fd, ...rules, ...skips, "--glob", lastName(glob), tree];
}

/** `*.c` of a pattern that begins with any depth. */
function lastName(glob: string): string {
  return glob.slice(glob.lastIndexOf("/") + 1);
}
