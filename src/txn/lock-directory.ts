/**
 * Locks on directories that other instances of this host respect, whatever their state folders. Waiting is bounded: a
 * lock that is not had in time is `busy`, never a hang.
 */
import { Failure, monotonicMs } from "../base/index.ts";
import type { OpenDirectory, Scope } from "../scope/index.ts";
import { tryLock } from "../state/index.ts";
import { parentOf } from "./acts.ts";
import type { SealedPath, SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

const WAIT_MS = 5000;
const RETRY_MS = 2;

/** The directories of all steps, until `held` is released; in one order for everybody, so that nobody waits in a circle. */
export function lockAll(scope: Scope, steps: readonly SealedStep[], held: DisposableStack): void {
  const parents = new Map<string, SealedPath>();
  for (const step of steps)
    for (const path of "from" in step ? [step.from, step.at] : [step.at]) {
      const parent = parentOf(path);
      parents.set(`${parent.root}\0${parent.rel}`, parent);
    }
  const directories = new Map<string, OpenDirectory>();
  for (const path of parents.values()) {
    const directory = held.use(deepestExisting(scope, path));
    directories.set(scope.absolute(directory.at), directory);
  }
  for (const [, directory] of [...directories].sort(([a], [b]) => (a < b ? -1 : 1)))
    lockDirectory(directory.fd, scope.show(directory.at));
}

function deepestExisting(scope: Scope, path: SealedPath): OpenDirectory {
  for (let at = path; at.rel !== ""; at = parentOf(at)) {
    const directory = scope.tryDirectory(locatedFrom(scope, at));
    if (directory) return directory;
  }
  return scope.openDirectory(locatedFrom(scope, { root: path.root, rel: "" }), "change");
}

/** Holds the lock until the descriptor is closed. @throws Failure `busy` */
function lockDirectory(fd: number, shown: string): void {
  const deadline = monotonicMs() + WAIT_MS;
  while (!tryLock(fd)) {
    if (monotonicMs() > deadline)
      throw new Failure("busy", `Cannot change "${shown}": another process holds its directory`);
    Bun.sleepSync(RETRY_MS);
  }
}
