/**
 * Whether a program that lists directories would bring to light what no tool may see. The scope is asked for every name.
 *
 * Usual mistake: to look only at what the tools for files would show; a program shows dot files and ignored ones too.
 */
import { type Cancel, Failure } from "../../base/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { compileSegment, type NameTest } from "../../search/index.ts";
import type { Listing } from "../../shell/index.ts";
import { readDirectory } from "../../sys/index.ts";
import { isPolicyFile } from "./closed-paths.ts";

export interface LookBelow {
  /** Absolute paths, of files too: below them there is nothing. */
  readonly listings: readonly Listing[];
}

export interface LookingBelow {
  readonly scope: Scope;
  readonly configFiles: readonly string[];
  readonly cancel: Cancel;
}

export function lookBelow({ listings }: LookBelow, looking: LookingBelow): { readonly holdsClosed: boolean } {
  return { holdsClosed: listings.some((listing) => holdsClosed(listing, looking)) };
}

/** Also true where it cannot be looked at: an unreadable directory, or no time left. */
function holdsClosed(listing: Listing, looking: LookingBelow): boolean {
  const start = startOf(listing.path, looking.scope);
  if (typeof start === "string") return start === "closed";
  const isShown = showing(listing);
  const open: { at: Located; depth: number }[] = [{ at: start, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (looking.cancel.state() !== "none") return true;
    const { at, depth } = next;
    if (depth > (listing.depth ?? Infinity)) continue;
    const below = readLevel(at, listing, isShown, looking);
    if (below === undefined) return true;
    for (const one of below) open.push({ at: one, depth: depth + 1 });
  }
  return false;
}

/** What is not there, or is a file, has nothing below it. */
export function startOf(path: string, scope: Scope): Located | "nothing" | "closed" {
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
  { scope, configFiles }: LookingBelow,
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
export function testOf(pattern: string): NameTest {
  if (pattern.includes("[")) return () => true;
  return compileSegment(pattern.toLowerCase(), { dot: true, groups: false }) ?? (() => true);
}
