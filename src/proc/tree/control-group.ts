/**
 * A control group (version 2) around each command, where this process may make one: the kernel then knows what belongs
 * to the command, whatever it forks and however it hides, and ends all of it in one step. Everything else holds without
 * it too, by the process tree; it sets no limits, which needs controllers that are seldom given away.
 *
 * Invariant: nobody is ever put into a group: a program is born there (sys/process/fork-program.ts), so that what is in
 * it is of that command alone. Usual mistake: to put a running program there, which takes the kernel 10 to 16 ms,
 * misses what it forked before, and may hit whoever has its number by then. What a launcher that was killed has left is
 * ended by the next one in the same namespace of numbers; what one in another container has left is empty.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdir,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { linkOf, lookAt } from "./processes.ts";
import { Turns, within } from "./turns.ts";

/** Ending a process takes the kernel a moment. */
const MAX_TRIES = 50;
const TRY_AGAIN_MS = 5;
/** Nobody waits longer for the kernel to remove them. */
const MAX_CLOSING_MS = 1000;
/** Whose it is: the number and the start of a launcher, and the namespaces in which they are what they are. */
const NAME = /^ringfence-(\d+)-(\d+)-(\d+-\d+)$/;

const removeFolder = promisify(rmdir);

export class ControlGroups {
  readonly #folder: string;
  /** Groups that the kernel did not let go at once. */
  #left: string[];
  readonly #turn = new Turns(1);

  private constructor(folder: string, left: string[]) {
    this.#folder = folder;
    this.#left = left;
    void this.#turn.take(async () => await this.#removeLeft());
  }

  /** `undefined` where there are none, or this process may not make one. */
  static open(): ControlGroups | undefined {
    try {
      const own = ownFolder();
      if (own === undefined) return undefined;
      const abandoned = readdirSync(own).flatMap((name) => (isAbandoned(name) ? [join(own, name)] : []));
      for (const folder of abandoned) kill(folder);
      const folder = join(own, nameOfOwn());
      if (!existsSync(folder)) mkdirSync(folder);
      // Before Linux 5.14 there is nothing to end a group with.
      if (existsSync(join(folder, "cgroup.kill"))) return new ControlGroups(folder, abandoned);
      rmdirSync(folder);
    } catch {
      // Not delegated to this user, or mounted for reading only.
    }
    return undefined;
  }

  /** An empty one, for a program to be born in; `undefined` when there can be no more. */
  add(run: string): ControlGroup | undefined {
    const folder = join(this.#folder, run);
    try {
      mkdirSync(folder);
    } catch {
      return undefined;
    }
    return {
      folder,
      members: () => membersOf(folder),
      kill: () => kill(folder),
      remove: () =>
        void this.#turn.take(async () => {
          await this.#removeLeft();
          await this.#remove(folder);
        }),
    };
  }

  /** Whoever is still in one of them ends; what has not gone by then is left to the next launcher. */
  async close(): Promise<void> {
    await within(
      this.#turn.take(async () => await this.#removeLeft()),
      MAX_CLOSING_MS,
    );
    kill(this.#folder);
    for (let tries = 0; tries < MAX_TRIES && !(await remove(this.#folder)); tries++) await Bun.sleep(TRY_AGAIN_MS);
  }

  async #removeLeft(): Promise<void> {
    for (const folder of this.#left.splice(0)) await this.#remove(folder);
  }

  async #remove(folder: string): Promise<void> {
    if (!(await remove(folder))) this.#left.push(folder);
  }
}

export interface ControlGroup {
  readonly folder: string;
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
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const mount = mounts.find((line) => line.includes(" - cgroup2 "));
  const [, , , top = "/", place = ""] = mount?.split(" ") ?? [];
  // Mounted from above, or below, of where we are: there is no name for it here.
  if (!mount || own === undefined || own.includes("/..") || !own.startsWith(top)) return undefined;
  return join(place.replaceAll("\\040", " "), top === "/" ? own : own.slice(top.length));
}

/** @throws where this process is not seen as itself: who it is could not be told from others then */
function nameOfOwn(): string {
  const own = lookAt(process.pid);
  if (!own || readlinkSync("/proc/self") !== String(process.pid)) throw new Error("/proc is of somebody else");
  return `ringfence-${process.pid}-${own.started}-${namespaces()}`;
}

/** In which processes have their numbers, and their times. */
function namespaces(): string {
  const links = ["pid", "time"].map((kind) => linkOf(`/proc/self/ns/${kind}`) ?? "");
  return links.map((link) => /\d+/.exec(link)?.[0] ?? "0").join("-");
}

/**
 * Only who sees a launcher by its own number can say that it is gone: a container may share our groups and not its numbers.
 * That nothing could be looked at proves nothing.
 */
function isAbandoned(name: string): boolean {
  const [, pid, started, where] = NAME.exec(name) ?? [];
  if (pid === undefined || where !== namespaces()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const now = lookAt(Number(pid));
  return now !== undefined && now.started !== Number(started);
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

/** With what was made below. @returns whether it is gone */
async function remove(folder: string): Promise<boolean> {
  try {
    for (const below of foldersIn(folder)) await remove(below);
    await removeFolder(folder);
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
