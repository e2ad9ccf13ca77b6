/**
 * The globs of `deny`, which are relative to each root, or absolute below one. What could deny nothing is refused: whoever wrote
 * it believes that something is closed.
 */
import { Failure } from "../base/index.ts";
import type { RootSpec } from "../scope/index.ts";
import { absolute, canonical } from "./config-files.ts";
import { expandHome } from "./environment.ts";

/** Slashes at the end and twice add nothing: what is below a match is denied with it. @throws Failure `invalid_input` */
export function parseDeny(given: string): string {
  const glob = expandHome(given);
  const names = glob.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw refused(given, "no path below a root has .. in it");
  if (names.length === 0 || glob.startsWith("!")) throw refused(given, "it would not deny what it names");
  return `${glob.startsWith("/") ? "/" : ""}${names.join("/")}`;
}

/** @throws Failure `invalid_input` for an absolute glob that lies in no root */
export function checkDeny(globs: readonly string[], roots: readonly RootSpec[]): void {
  const tops = roots
    .flatMap(({ path }) => [absolute(path), canonical(absolute(path))])
    .map((path) => (path === "/" ? path : `${path}/`));
  const stray = globs.find((glob) => glob.startsWith("/") && !tops.some((top) => glob.startsWith(top)));
  if (stray !== undefined) throw refused(stray, "it lies in no root");
}

function refused(glob: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot start: --deny ${JSON.stringify(glob)} cannot be used: ${why}`, {
    hint: "Give a glob relative to the root, such as secrets or **/*.pem, or the absolute path of something in a root.",
  });
}
