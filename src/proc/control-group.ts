/**
 * A control group (version 2) around each command, where this process may make one: the kernel then knows what belongs to
 * the command, whatever it forks and however it hides, and ends all of it in one step. Everything else holds without it
 * too, by the process tree; it sets no limits, which needs controllers that are seldom given away.
 *
 * What a launcher that was killed has left is ended by the next one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "./process-table.ts";

/** Ending a process takes the kernel a moment. */
const MAX_TRIES = 50;
const TRY_AGAIN_MS = 5;
const NAME = /^ringfence-(\d+)$/;

export class ControlGroups {
  readonly #folder: string;
  /** Those that the kernel did not let go at once. */
  #left: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** `undefined` where there are none, or this process may not make one. */
  static open(): ControlGroups | undefined {
    try {
      const own = ownFolder();
      if (own === undefined) return undefined;
      for (const name of readdirSync(own)) if (isAbandoned(name)) endFolder(join(own, name));
      const folder = join(own, `ringfence-${process.pid}`);
      if (!existsSync(folder)) mkdirSync(folder);
      // Before Linux 5.14 there is nothing to end a group with.
      if (existsSync(join(folder, "cgroup.kill"))) return new ControlGroups(folder);
      rmdirSync(folder);
    } catch {
      // Not delegated to this user, or mounted for reading only.
    }
    return undefined;
  }

  /** With the process in it, and all that it starts from now on; `undefined` when it has ended already. */
  add(run: string, pid: number): ControlGroup | undefined {
    this.#left = this.#left.filter((folder) => !remove(folder));
    const folder = join(this.#folder, run);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, "cgroup.procs"), String(pid));
    } catch {
      remove(folder);
      return undefined;
    }
    return {
      members: () => membersOf(folder),
      kill: () => kill(folder),
      remove: () => {
        if (!remove(folder)) this.#left.push(folder);
      },
    };
  }

  /** Whoever is still in one of them ends; what has not gone by then is left to the next launcher. */
  async close(): Promise<void> {
    kill(this.#folder);
    for (let tries = 0; tries < MAX_TRIES && !remove(this.#folder); tries++) await Bun.sleep(TRY_AGAIN_MS);
  }
}

export interface ControlGroup {
  /** Processes, also of groups that one of them made below. */
  members(): number[];
  kill(): void;
  /** When nothing is left in it. */
  remove(): void;
}

/** The group of this process itself, as a folder. */
function ownFolder(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const own = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  for (const line of readFileSync("/proc/self/mountinfo", "utf8").split("\n")) {
    const [mount = "", type = ""] = line.split(" - ");
    if (!type.startsWith("cgroup2 ")) continue;
    const [, , , top = "/", place = ""] = mount.split(" ");
    // Mounted from above, or below, of where we are: there is no name for it here.
    if (own === undefined || own.includes("/..") || !own.startsWith(top)) return undefined;
    return join(place.replaceAll("\\040", " "), top === "/" ? own : own.slice(top.length));
  }
  return undefined;
}

function isAbandoned(name: string): boolean {
  const pid = Number(NAME.exec(name)?.[1]);
  return pid > 0 && pid !== process.pid && !lookAt(pid);
}

function membersOf(folder: string): number[] {
  try {
    const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    return [...own, ...foldersIn(folder).flatMap(membersOf)];
  } catch {
    return [];
  }
}

function kill(folder: string): void {
  try {
    writeFileSync(join(folder, "cgroup.kill"), "1");
  } catch {
    // It is gone.
  }
}

function endFolder(folder: string): void {
  kill(folder);
  remove(folder);
}

/** With what was made below. @returns whether it is gone */
function remove(folder: string): boolean {
  try {
    for (const below of foldersIn(folder)) remove(below);
    rmdirSync(folder);
  } catch {
    // Somebody is in it still, or it is gone.
  }
  return !existsSync(folder);
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
