/**
 * Raises how often a function must have run before the runtime's last compiler takes it (JavaScriptCore's FTL), ten times.
 * Most of what this program does is over before that pays: the first search of a process spent a quarter of a second of
 * processor time on it, in the same moment in which its workers needed both cores. What stays hot for seconds is still
 * compiled. The engine's own switch for it is an environment variable, which the executable must not listen to.
 *
 * The default stands among the constants that the engine's options are made from: four integers in a row, found exactly
 * once in each 1.4.5 runtime.
 */

/** The three options before it, and the threshold itself. */
const DEFAULTS: readonly number[] = [1000, 1, 15, 64_000];
const THRESHOLD = 640_000;

export function raiseTierThreshold(runtime: Buffer): number {
  const find = Buffer.from(Int32Array.from(DEFAULTS).buffer);
  const first = runtime.indexOf(find);
  if (first < 0 || runtime.indexOf(find, first + 1) >= 0)
    throw new Error(
      `Cannot patch the runtime: the defaults ${DEFAULTS.join(", ")} occur ${first < 0 ? "nowhere" : "more than once"}, and must occur once`,
    );
  runtime.writeInt32LE(THRESHOLD, first + 4 * (DEFAULTS.length - 1));
  return 1;
}
