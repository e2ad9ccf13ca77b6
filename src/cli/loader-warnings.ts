/**
 * What the system's loader would put into this process before its first line runs, for `ringfence doctor` to warn about.
 */
import { foundLoaderVariables, hasPreloadFile } from "../config/index.ts";

export function loaderWarnings(): string[] {
  const found = foundLoaderVariables();
  const [preload, tuned] = [found.filter(loadsCode), found.filter((name) => !loadsCode(name))];
  const warnings: string[] = [];
  if (preload.length > 0)
    warnings.push(
      `${preload.join(", ")} is set: the system's loader obeys it before this program begins, and what it loads runs in every first start`,
    );
  if (tuned.length > 0)
    warnings.push(`${tuned.join(", ")} is set: it changes how memory is managed, and what is printed about that`);
  if (hasPreloadFile())
    warnings.push("/etc/ld.so.preload names code that the system's loader puts into every program here");
  return warnings;
}

function loadsCode(name: string): boolean {
  return /^(?:LD|DYLD)_/.test(name);
}
