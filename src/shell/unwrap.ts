/**
 * The program behind others that only start it, for questions about what flows between commands: `env echo x` prints
 * what `echo x` prints. A guess by the look of the words, good for becoming stricter; verdicts on the wrapped command
 * itself are `programs/wrappers.ts`.
 */
import type { Arg } from "./parts.ts";

export interface Unwrapped {
  /** Without its folder, in lower case. */
  readonly name: string;
  readonly args: readonly Arg[];
}

export function unwrap(args: readonly Arg[]): Unwrapped | undefined {
  let [first, ...rest] = args;
  for (let round = 0; first !== undefined && round < MAX_ROUNDS; round++) {
    const name = first.text.replace(/^.*\//s, "").toLowerCase();
    const inner = WRAPS.has(name) ? rest.findIndex(({ text }) => !BEFORE_PROGRAM.test(text)) : -1;
    if (inner < 0) return { name, args: rest };
    [first, ...rest] = rest.slice(inner);
  }
  return undefined;
}

const MAX_ROUNDS = 12;

/** Options, assignments, durations and numbers, a directory. */
const BEFORE_PROGRAM = /^(?:-.*|\w+=.*|[\d.]+[smhd]?|\.|\/)$/s;

const WRAPS: ReadonlySet<string> = new Set(
  (
    "env nice timeout gtimeout nohup command builtin exec sudo doas time stdbuf setsid ionice chrt taskset busybox toybox " +
    "xargs parallel proxychains torsocks unbuffer strace ltrace chroot fakeroot caffeinate coproc noglob nocorrect"
  ).split(" "),
);
