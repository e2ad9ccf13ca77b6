/**
 * Pairs of paths that lead outside of a root by the same way, one to something and one to nothing, and the calls that meet
 * them. Nothing that such a call does may tell the one from the other.
 *
 * Usual mistake: two names of different lengths, which show in what the kernel is asked for.
 */
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { lookAtPath } from "../../src/files/stat-path.ts";
import { Scope } from "../../src/scope/index.ts";
import { prepareChanges } from "../../src/txn/index.ts";
import { layFiles } from "../host/file-tree.ts";

export const CONTAINMENTS = ["handle", "portable"] as const;
export type Containment = (typeof CONTAINMENTS)[number];

export interface OutsidePair {
  readonly call: string;
  readonly way: string;
  readonly there: string;
  readonly absent: string;
}

/** The names by which the two paths of a pair differ: as files and as directories, there and absent. */
const NAMES = [
  ["here", "none"],
  ["hdir", "ndir"],
] as const;

/** `{}` is what differs: `here` or `none` as a file, `hdir` or `ndir` as a directory. */
const WAYS: readonly [what: string, path: string][] = [
  ["an absolute path", "{top}/outside/{}"],
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
  stat: (scope, path) => lookAtPath({ scope, cancel: NEVER_CANCELLED, progress: () => undefined }, path),
  write: (scope, path) =>
    prepareChanges(
      { changes: [{ op: "write", path, content: "x", overwrite: true }] },
      { scope, cancel: NEVER_CANCELLED, keep: () => 0 },
    ),
};

/** @param top gets `root` and `outside` */
export function layOutsidePairs(top: string): void {
  const root = join(top, "root");
  mkdirSync(root);
  layFiles(top, { "outside/here": "SECRET\n", "outside/hdir/x": "SECRET\n" });
  NAMES.forEach((names, at) => {
    for (const name of names) {
      symlinkSync(`../outside/${name}`, join(root, `rel-${"fd"[at]}-${name}`));
      symlinkSync(join(top, "outside", name), join(root, `abs-${"fd"[at]}-${name}`));
    }
  });
  symlinkSync("../outside/hdir", join(root, "way-here"));
  symlinkSync("../outside/ndir", join(root, "way-none"));
  symlinkSync(join(top, "outside/hdir"), join(root, "far-here"));
  symlinkSync(join(top, "outside/ndir"), join(root, "far-none"));
}

export function outsidePairs(top: string): OutsidePair[] {
  return Object.keys(CALL).flatMap((call) => {
    const [kind, [here, none]] = call === "list" ? (["d", NAMES[1]] as const) : (["f", NAMES[0]] as const);
    const direct = WAYS.map(([way, path]) => {
      const fill = (name: string): string => path.replace("{top}", top).replace("{kind}", kind).replace("{}", name);
      return { call, way, there: fill(here), absent: fill(none) };
    });
    return [...direct, ...BELOW.map(([way, there, absent]) => ({ call, way, there, absent }))];
  });
}

export function openOutsideScope(top: string, containment: Containment): Scope {
  return new Scope({ roots: [{ path: join(top, "root"), readOnly: false }], containment });
}

/** @returns what was found; the failure, when it failed */
export function callOutside(call: string, scope: Scope, path: string): unknown {
  try {
    return CALL[call]?.(scope, path);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown;
  }
}

/** The control: as a program does it that looks before it refuses. */
export function lookOutside(top: string, name: "here" | "none"): void {
  try {
    readFileSync(realpathSync(join(top, "root", `rel-f-${name}`)));
  } catch {
    // Refused either way.
  }
}

/** Whatever it is of a pair, with the name that differs taken out. */
export function withoutNames(text: string): string {
  return text.replaceAll(/here|none|hdir|ndir/g, "NAME");
}
