/**
 * Which files grep looks into, by name: `include`, `exclude` and `type`, with the meaning of ripgrep's `-g` and `-t`.
 * A glob without a slash is meant at any depth, one with a slash from the start of the search; a file that an include
 * names is searched whatever its type, even if an ignore rule or its dot would leave it out (not if its directory is left
 * out).
 */
import { Failure } from "../../base/index.ts";
import type { ToolArguments } from "../../calls/index.ts";
import { checkedForms } from "../ignore/glob-pattern.ts";
import { compileRule, type RuleTest } from "../ignore/ignore-file.ts";
import { compileSegment } from "../ignore/wildcard.ts";
import { globsOfType } from "./file-types.ts";

type FileFilterOptions = Pick<ToolArguments["grep"], "include" | "exclude" | "type">;

export interface FileFilter {
  /** For the walk; `undefined` when no globs were given. */
  readonly override:
    | ((directory: string, name: string, isDirectory: boolean) => "include" | "exclude" | undefined)
    | undefined;
  /** By type, which what an include names needs not have; asked for files only. */
  readonly accepts: (name: string) => boolean;
  /** As ripgrep: a dot file of an asked type is searched. `undefined` when no type was given. */
  readonly keepsHidden: ((name: string) => boolean) | undefined;
}

interface Glob {
  readonly verdict: "include" | "exclude";
  readonly directoriesOnly: boolean;
  readonly matches: RuleTest;
}

/** @throws Failure `invalid_input`, `outside_scope` */
export function createFileFilter(options: FileFilterOptions): FileFilter {
  const includes = (options.include ?? []).filter((glob) => !glob.startsWith("!"));
  // In the order in which they were given: the last that matches decides.
  const globs = [
    ...(options.include ?? []).flatMap((glob) =>
      glob.startsWith("!") ? parseGlob(glob.slice(1), "exclude") : parseGlob(glob, "include"),
    ),
    ...(options.exclude ?? []).flatMap((glob) => parseGlob(glob, "exclude")),
  ];
  globs.reverse();
  const hasType = typeTest(options.type ?? []);
  return {
    override:
      globs.length === 0
        ? undefined
        : (directory, name, isDirectory) => judge(globs, includes.length > 0, directory, name, isDirectory),
    // Where there are includes the walk gives nothing else.
    accepts: includes.length > 0 ? () => true : hasType,
    keepsHidden: options.type?.length ? hasType : undefined,
  };
}

/** Last glob wins, so `globs` come last first. */
function judge(globs: readonly Glob[], hasIncludes: boolean, directory: string, name: string, isDirectory: boolean) {
  const found = globs.find((glob) => (isDirectory || !glob.directoriesOnly) && glob.matches(directory, name));
  if (found) return found.verdict;
  return hasIncludes && !isDirectory ? "exclude" : undefined;
}

function parseGlob(glob: string, verdict: Glob["verdict"]): Glob[] {
  return checkedForms(glob).map((form) => {
    const directoriesOnly = form.length > 1 && form.endsWith("/");
    const pattern = (directoriesOnly ? form.slice(0, -1) : form).replace(/^\.\//, "/");
    const matches = compileRule(pattern);
    if (matches) return { verdict, directoriesOnly, matches };
    throw new Failure("invalid_input", `Cannot match ${JSON.stringify(glob)}: it is not a glob (is a [ open?)`, {
      hint: 'Write a literal [ as "\\\\[".',
    });
  });
}

function typeTest(types: readonly string[]): (name: string) => boolean {
  if (types.length === 0) return () => true;
  const tests = types.flatMap(globsOfType).map((glob) => compileSegment(glob, { dot: true, groups: false }));
  return (name) => tests.some((test) => test?.(name));
}
