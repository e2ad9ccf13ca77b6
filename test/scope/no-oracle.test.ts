/**
 * Nothing tells whether something outside the roots exists: not the failure, not its words, and not the time it takes.
 *
 * Each pair of paths leads outside by the same way, one to something and one to nothing. The two are called in turn, so
 * that whatever else the machine does meets both, and the medians may differ by a tenth. A machine can be unlucky, a
 * real difference is there every time: only what differs in all of the rounds fails. The control shows that it would.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { statPath } from "../../src/files/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { sealChanges } from "../../src/txn/index.ts";
import { layFiles } from "../host/file-tree.ts";

const CALLS = 1000;
const ROUNDS = 5;
const MOST_APART = 0.1;

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-oracle-")));
const root = join(top, "root");

beforeAll(() => {
  mkdirSync(root);
  layFiles(top, { "outside/here": "SECRET\n", "outside/hdir/x": "SECRET\n" });
  for (const [name, kind] of [
    ["here", "f"],
    ["none", "f"],
    ["hdir", "d"],
    ["ndir", "d"],
  ] as const) {
    symlinkSync(`../outside/${name}`, join(root, `rel-${kind}-${name}`));
    symlinkSync(join(top, "outside", name), join(root, `abs-${kind}-${name}`));
  }
  symlinkSync("../outside/hdir", join(root, "way-here"));
  symlinkSync("../outside/ndir", join(root, "way-none"));
  symlinkSync(join(top, "outside/hdir"), join(root, "far-here"));
  symlinkSync(join(top, "outside/ndir"), join(root, "far-none"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** `{}` is what differs: `here` or `none` as a file, `hdir` or `ndir` as a directory. */
const WAYS: readonly [what: string, path: string][] = [
  ["an absolute path", `${top}/outside/{}`],
  ["a path that climbs", "../outside/{}"],
  ["a relative link", "rel-{kind}-{}"],
  ["an absolute link", "abs-{kind}-{}"],
];
/** One below a link: there it is the link whose target exists or not. */
const BELOW: readonly [what: string, there: string, absent: string][] = [
  ["a path below a relative link", "way-here/x", "way-none/x"],
  ["a path below an absolute link", "far-here/x", "far-none/x"],
];

type Call = (scope: Scope, path: string) => unknown;

const CALL: Readonly<Record<string, Call>> = {
  read: (scope, path) => scope.openFile(scope.locate(path, "read"), "read"),
  list: (scope, path) => scope.openDirectory(scope.locate(path, "list"), "list"),
  stat: (scope, path) => statPath({ scope, cancel: NEVER_CANCELLED, progress: () => undefined }, { path }),
  write: (scope, path) =>
    sealChanges(
      { changes: [{ op: "write", path, content: "x", overwrite: true }] },
      { scope, cancel: NEVER_CANCELLED, progress: () => undefined, keep: () => 0 },
    ),
};

describe.each(["handle", "portable"] as const)("containment %s", (containment) => {
  const isHere = containment === "portable" || process.platform === "linux";
  const pairs = Object.keys(CALL).flatMap((name) => {
    const [kind, there, absent] =
      name === "list" ? (["d", "hdir", "ndir"] as const) : (["f", "here", "none"] as const);
    const direct = WAYS.map(([what, path]) => {
      const fill = (target: string): string => path.replace("{kind}", kind).replace("{}", target);
      return [name, what, fill(there), fill(absent)] as const;
    });
    return [...direct, ...BELOW.map((below) => [name, ...below] as const)];
  });

  test.skipIf(!isHere).each(pairs)("%s by %s", (name, _what, there, absent) => {
    using scope = new Scope({ roots: [{ path: root, readOnly: false }], containment });
    const call = CALL[name];
    if (!call) throw new Error(name);
    expect(wordsOf(call, scope, there)).toBe(wordsOf(call, scope, absent));
    const apart = leastApart((path) => attempt(call, scope, path), there, absent);
    expect(apart).toBeLessThan(MOST_APART);
  });
});

test("the control: a host that looks outside before it refuses is found out", () => {
  expect(leastApart(lookOutside, join(root, "rel-f-here"), join(root, "rel-f-none"))).toBeGreaterThan(
    MOST_APART,
  );
});

function lookOutside(path: string): void {
  try {
    readFileSync(realpathSync(path));
  } catch {
    // Refused either way.
  }
}

/** The smallest difference of all rounds; one that is small enough ends them. */
function leastApart(call: (path: string) => void, a: string, b: string): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= MOST_APART; round++)
    least = Math.min(least, measure(call, a, b));
  return least;
}

function measure(call: (path: string) => void, a: string, b: string): number {
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < CALLS; at++) {
    // Each goes first as often as the other.
    const order = at % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const start = Bun.nanoseconds();
      call(which === 0 ? a : b);
      times[which].push(Bun.nanoseconds() - start);
    }
  }
  const [first, second] = times.map(medianOf);
  return Math.abs((first ?? 0) / (second ?? 1) - 1);
}

function medianOf(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

function attempt(call: Call, scope: Scope, path: string): void {
  try {
    call(scope, path);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
  }
}

/** What the caller is told, up to the path that the caller gave; of a link itself, where it leads. */
function wordsOf(call: Call, scope: Scope, path: string): string {
  try {
    const found = call(scope, path) as { link_leads?: string; link_target?: unknown };
    return `${found.link_leads} ${String(found.link_target)}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    expect(thrown.code).toBe("outside_scope");
    return JSON.stringify(thrown.data).replaceAll(path, "PATH");
  }
}
