/**
 * Whether the paths that a command line names may be touched, before anything runs. The scope is asked for every name, so that
 * deny rules, secrets and links count as they are on the disk, not as the text says; a pattern of the shell is looked up as the
 * shell would do it, and what is taken away or put elsewhere is looked through for files that decide about the tools.
 */
import { Failure, type FailureCode } from "../../base/index.ts";
import { isReadOnly, type Located, type Scope } from "../../scope/index.ts";
import { readDirectory } from "../../sys/index.ts";
import { isPathBelow, isPolicyFile } from "./closed-paths.ts";
import { startOf, testOf, type LookingBelow } from "./look-below.ts";

export interface NamedPath {
  /** In the words of the caller. */
  readonly path: string;
  readonly writes: boolean;
  /** Absolute, and the shell puts names in the place of its `*`, `?` and `[`. */
  readonly isPattern?: boolean | undefined;
  /** `tree`: with all below, it goes or is put elsewhere · `place`: something comes into it, should it be a directory. */
  readonly changes?: "tree" | "place" | undefined;
}

export interface TouchedVerdict {
  readonly path: string;
  /** Why it may not be touched. */
  readonly refused: string;
  readonly code: FailureCode;
  /** Whether it would be touched is not certain: a person is asked. */
  readonly isUnsure?: true;
}

type Refusal = Omit<TouchedVerdict, "path">;

/** The touched paths that are refused. A path that is not there is left to the program. */
export function checkTouched(looking: LookingBelow, paths: readonly NamedPath[]): TouchedVerdict[] {
  return paths.flatMap((named) => {
    const { path } = named;
    const refusal = named.isPattern === true ? whyRefusedNames(named, looking) : whyRefused(named, looking);
    return refusal === undefined ? [] : [{ path, ...refusal }];
  });
}

function whyRefused({ path, writes, changes }: NamedPath, looking: LookingBelow): Refusal | undefined {
  const { scope } = looking;
  return refusalOf(() => {
    const asked = scope.locate(path, "touch");
    const at = targetOf(scope, asked);
    if (writes && isReadOnly(scope, at)) return { refused: "its root is for reading only", code: "denied" };
    // A link goes itself, and not what it leads to.
    return changes && whyKept(changes === "tree" && !path.endsWith("/") ? placed(scope, asked) : at, changes, looking);
  });
}

function refusalOf(look: () => Refusal | undefined): Refusal | undefined {
  try {
    return look();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === "not_found" ? undefined : { refused: thrown.message, code: thrown.code };
  }
}

function targetOf(scope: Scope, at: Located): Located {
  try {
    return scope.resolve(at, "touch");
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    return placed(scope, at);
  }
}

/** With every link on the way resolved, and the last name as it is. */
function placed(scope: Scope, at: Located): Located {
  if (at.rel === "") return at;
  using place = scope.place(at, "touch");
  return place.at;
}

const KEPT = "the configuration of this host depends on it";
const MAY_BE_KEPT = "it may change files on which the configuration of this host depends";

/** Files that decide about the tools stay where they are. */
function whyKept(at: Located, changes: "tree" | "place", looking: LookingBelow): Refusal | undefined {
  const { scope, configFiles } = looking;
  const absolute = scope.absolute(at);
  const holdsOne = configFiles.some((file) => isPathBelow(file, absolute));
  if (changes === "place") return holdsOne ? unsure(MAY_BE_KEPT) : undefined;
  if (holdsOne || isPolicyFile(absolute, configFiles)) return { refused: KEPT, code: "denied" };
  const found = findRootFile(absolute, looking);
  return found === "found" ? { refused: KEPT, code: "denied" } : found === "unknown" ? unsure(MAY_BE_KEPT) : undefined;
}

function unsure(refused: string): Refusal {
  return { refused, code: "denied", isUnsure: true };
}

/** A larger tree is not looked through while a call waits. */
const MAX_LOOKED_AT = 50_000;
/** Large folders that nobody makes a root of. */
const NEVER_ROOTS: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Whether a `.ringfence.json` lies below. */
function findRootFile(top: string, { scope, cancel }: LookingBelow): "found" | "none" | "unknown" {
  const start = startOf(top, scope);
  if (typeof start === "string") return "none";
  const open = [start];
  let count = 0;
  for (let at = open.pop(); at; at = open.pop()) {
    if (cancel.state() !== "none") return "unknown";
    try {
      using directory = scope.openDirectory(at, "list", "refuse");
      for (const { name, type } of readDirectory(directory)) {
        if (name.toLowerCase() === ".ringfence.json") return "found";
        if (++count > MAX_LOOKED_AT) return "unknown";
        if (type === "directory" && !NEVER_ROOTS.has(name)) open.push(scope.child(at, name));
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure) && !(thrown instanceof Error && "code" in thrown)) throw thrown;
      return "unknown";
    }
  }
  return "none";
}

/** More names are not looked at one by one. */
const MAX_NAMES = 10_000;
const CLOSED_NAME = "a name that its pattern stands for is closed to the tools";
const UNKNOWN_NAMES = "the names that its pattern stands for cannot be told";

/** As a pattern is expanded, level by level. Only a name that begins with a dot in the pattern stands for such names. */
function whyRefusedNames({ path, writes, changes }: NamedPath, looking: LookingBelow): Refusal | undefined {
  const { scope, configFiles } = looking;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const first = names.findIndex((name) => SIGNS.test(name));
  const start = startOf(`/${names.slice(0, first).join("/")}`, scope);
  if (start === "closed" || names.slice(first).includes("..")) return unsure(UNKNOWN_NAMES);
  let level: readonly Located[] = start === "nothing" ? [] : [start];
  for (const [index, name] of names.slice(first).entries()) {
    const isLast = first + index === names.length - 1;
    const next: Located[] = [];
    for (const at of level) {
      const found = namesIn(at, name, looking);
      if (found === undefined || next.length + found.length > MAX_NAMES) return unsure(UNKNOWN_NAMES);
      const isDenied = scope.deniesIn(at);
      for (const one of found) {
        const child = scope.child(at, one);
        const absolute = scope.absolute(child);
        const isPolicy = isPolicyFile(absolute, configFiles);
        if (isDenied(one) && (writes || !isPolicy)) return unsure(CLOSED_NAME);
        if (isLast && refusalOf(() => lastOf(child, { writes, changes }, looking))) return unsure(CLOSED_NAME);
        next.push(child);
      }
    }
    level = next;
  }
  return undefined;
}

function lastOf(
  child: Located,
  { writes, changes }: Pick<NamedPath, "writes" | "changes">,
  looking: LookingBelow,
): Refusal | undefined {
  const at = targetOf(looking.scope, child);
  const kept = changes && whyKept(changes === "tree" ? child : at, changes, looking);
  const isPolicy = writes && isPolicyFile(looking.scope.absolute(at), looking.configFiles);
  return kept ?? (isPolicy ? { refused: KEPT, code: "denied" } : undefined);
}

/** Names of this level, or `undefined` where it cannot be read; none below what is no directory. */
function namesIn(at: Located, pattern: string, { scope, cancel }: LookingBelow): readonly string[] | undefined {
  if (cancel.state() !== "none") return undefined;
  const test = testOf(pattern);
  try {
    using directory = scope.tryDirectory(scope.resolve(at, "list"));
    if (!directory) return [];
    const isShown = (name: string): boolean => pattern.startsWith(".") || !name.startsWith(".");
    return readDirectory(directory).flatMap(({ name }) => (isShown(name) && test(name.toLowerCase()) ? [name] : []));
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "not_found") return [];
    if (!(thrown instanceof Failure) && !(thrown instanceof Error && "code" in thrown)) throw thrown;
    return undefined;
  }
}

const SIGNS = /[*?[]/;
