/**
 * Before a command or a command line runs: whether the paths that it names may be touched, and whether a program that lists
 * directories, or compares them file by file, would bring to light what no tool may see. The scope is asked for every name,
 * so that deny rules, secrets and links count as they are on the disk, not as the text says.
 *
 * Usual mistake: to look only at what the tools for files would show; a program shows dot files and ignored ones too.
 */
import { Failure, type FailureCode } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { readDirectory } from "../../sys/index.ts";
import { compileSegment, type NameTest } from "../../search/index.ts";
import type { Listing } from "../../shell/index.ts";
import { isPolicyFile } from "./policy-files.ts";

export interface NamedPath {
  /** In the words of the caller. */
  readonly path: string;
  readonly writes: boolean;
}

export interface TouchedVerdict {
  readonly path: string;
  /** Why it may not be touched. */
  readonly refused: string;
  readonly code: FailureCode;
}

/** The touched paths that are refused. A path that is not there is left to the program. */
export function checkTouched(scope: Scope, paths: readonly NamedPath[]): TouchedVerdict[] {
  return paths.flatMap(({ path, writes }) => {
    const refused = whyRefused(scope, path, writes);
    return refused === undefined ? [] : [{ path, ...refused }];
  });
}

function whyRefused(scope: Scope, path: string, writes: boolean): Omit<TouchedVerdict, "path"> | undefined {
  try {
    const at = targetOf(scope, scope.locate(path, "touch"));
    if (!writes || !scope.innermost(at).root.readOnly) return undefined;
    return { refused: "its root is for reading only", code: "denied" };
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
    using place = scope.place(at, "touch");
    return place.at;
  }
}

export interface LookBelow {
  /** Absolute paths, of files too: below them there is nothing. */
  readonly listings: readonly Listing[];
}

export interface LookedBelow {
  readonly holdsClosed: boolean;
}

interface Looking {
  readonly scope: Scope;
  readonly configFiles: readonly string[];
  readonly job: Pick<JobContext, "cancel">;
}

export function lookBelow(
  { listings }: LookBelow,
  scope: Scope,
  configFiles: readonly string[],
  job: Looking["job"],
): LookedBelow {
  const looking = { scope, configFiles, job };
  return { holdsClosed: listings.some((listing) => holdsClosed(listing, looking)) };
}

/** Also true where it cannot be looked at: an unreadable directory, or no time left. */
function holdsClosed(listing: Listing, looking: Looking): boolean {
  const start = startOf(listing.path, looking.scope);
  if (typeof start === "string") return start === "closed";
  const isShown = showing(listing);
  const open: { at: Located; depth: number }[] = [{ at: start, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (looking.job.cancel.state() !== "none") return true;
    const { at, depth } = next;
    if (depth > (listing.depth ?? Infinity)) continue;
    const below = readLevel(at, listing, isShown, looking);
    if (below === undefined) return true;
    open.push(...below.map((one) => ({ at: one, depth: depth + 1 })));
  }
  return false;
}

/** What is not there, or is a file, has nothing below it. */
function startOf(path: string, scope: Scope): Located | "nothing" | "closed" {
  try {
    const asked = scope.locate(path, "list");
    const at = asked.rel === "" ? asked : scope.resolve(asked, "list");
    using directory = scope.tryDirectory(at);
    return directory?.at ?? "nothing";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code === "not_found" ? "nothing" : "closed";
    throw thrown;
  }
}

/** The directories in it, or `undefined` if it holds what is closed. */
function readLevel(
  at: Located,
  { shows, hidden, follows }: Listing,
  isShown: (name: string, isFile: boolean) => boolean,
  { scope, configFiles }: Looking,
): Located[] | undefined {
  const isDenied = scope.deniesIn(at);
  const below: Located[] = [];
  try {
    using directory = scope.openDirectory(at, "list", "refuse");
    for (const { name, type } of readDirectory(directory)) {
      if (!hidden && name.startsWith(".")) continue;
      // What is only kept from changes is no secret.
      const isClosed = isDenied(name) && !isPolicyFile(scope.absolute(scope.child(at, name)), configFiles);
      if (isClosed && isShown(name, type === "file")) return undefined;
      if (type === "symlink" && shows === "contents") return undefined;
      if (type === "symlink" && follows === true && leadsOut(scope.child(at, name), scope)) return undefined;
      if (!isClosed && type === "directory") below.push(scope.child(at, name));
    }
  } catch (thrown) {
    if (thrown instanceof Failure || (thrown instanceof Error && "code" in thrown)) return undefined;
    throw thrown;
  }
  return below;
}

function leadsOut(link: Located, scope: Scope): boolean {
  try {
    scope.resolve(link, "list");
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code !== "not_found";
  }
}

/** A directory may hold what is shown, whatever its own name. */
function showing({ onlyDirectories, names }: Listing): (name: string, isFile: boolean) => boolean {
  const tests = names?.map(testOf);
  return (name, isFile) =>
    !isFile || (onlyDirectories !== true && (tests?.some((test) => test(name.toLowerCase())) ?? true));
}

/** A pattern that cannot be read may mean any name. Classes of the C library (`[[:punct:]]`) are read by it alone. */
function testOf(pattern: string): NameTest {
  if (pattern.includes("[")) return () => true;
  return compileSegment(pattern.toLowerCase(), { dot: true, groups: false }) ?? (() => true);
}
