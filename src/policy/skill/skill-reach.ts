/**
 * What the permissions of a skill leave of the files: globs of absolute paths for reading and for writing. Every path that a
 * call of the skill touches is held to them, as what it really is behind links; where nothing is named nothing is left.
 */
import { compilePattern, type Pattern } from "../../pattern/index.ts";

export interface SkillReach {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface SkillPermissions extends SkillReach {
  /** Names of secrets that tools may use under it. */
  readonly secrets: readonly string[];
  /** Hosts that programs may reach under it, as entries of a list. */
  readonly net: readonly string[];
}

/**
 * Tells whether a path is closed to a tool.
 * @param onlyReads what may be written may be read too, and a directory above both may be passed
 */
export function closedByReach({ read, write }: SkillReach, onlyReads: boolean): (absolute: string) => boolean {
  const globs = (onlyReads ? [...read, ...write] : write).map(globOf);
  return (absolute) => !globs.some(({ matches, isAbove }) => matches(absolute) || (onlyReads && isAbove(absolute)));
}

interface Glob {
  readonly matches: (absolute: string) => boolean;
  readonly isAbove: (absolute: string) => boolean;
}

function globOf(text: string): Glob {
  // A directory is meant with all that lies in it, and `DIR/**` means the directory too.
  const top = topOf(text);
  const options = { dot: true, ignoreCase: false, whenTooLong: false };
  const patterns: Pattern[] = [top, `${top}/**`].map((one) => compilePattern(one.slice(1), options));
  const sign = top.search(SIGN);
  const fixed = sign < 0 ? top : top.slice(0, top.lastIndexOf("/", sign));
  return {
    matches: (absolute) => patterns.some((pattern) => pattern.matches(absolute.slice(1))),
    isAbove: (absolute) => fixed === absolute || fixed.startsWith(absolute === "/" ? "/" : `${absolute}/`),
  };
}

/** The directories that a skill may reach whole; `undefined` where it names anything else. */
export function directoriesOf({ read, write }: SkillReach): { readable: string[]; writable: string[] } | undefined {
  const [readable = [], writable = []] = [read, write].map((globs) => globs.map(topOf));
  return [...readable, ...writable].some((path) => SIGN.test(path)) ? undefined : { readable, writable };
}

function topOf(glob: string): string {
  return glob.replace(/\/+$/, "").replace(/\/\*\*$/, "");
}

const SIGN = /[*?[\]{}()!+@\\]/;
