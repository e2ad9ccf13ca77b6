/**
 * A control group (version 2) around each command, where this process may make one: the kernel then knows what belongs to
 * the command, whatever it forks and however it hides, and ends all of it in one step. Everything else holds without it
 * too, by the process tree; it sets no limits, which needs controllers that are seldom given away.
 *
 * Invariant: a group is read and ended only once it is certain that its own program was put into it. Usual mistake: to put
 * it there while others wait; while all processors are busy it takes the kernel 10 to 16 ms.
 * What a launcher that was killed has left is ended by the next one in the same namespace of numbers (what one in another
 * container has left is empty), without that certainty: a stranger could be in it if the launcher was killed between putting
 * a number there and looking whose it is, in the moment it was used again.
 */
import {
  existsSync,
  mkdir,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdir,
  rmdirSync,
  writeFile,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { lookAt } from "./process-table.ts";
import { Turns } from "./turns.ts";
import { within } from "./within.ts";

/** Ending a process takes the kernel a moment. */
const MAX_TRIES = 50;
const TRY_AGAIN_MS = 5;
/** Nobody waits longer for the kernel to put programs into their groups. */
export const MAX_PLACING_MS = 1000;
/** Whose it is: the number and the start of a launcher, and the namespaces in which they are what they are. */
const NAME = /^ringfence-(\d+)-(\d+)-(\d+-\d+)$/;

/** How a process is put into a group, and known again. */
export interface Placing {
  /** Into a file of the kernel's. @throws when the process has ended */
  readonly write: (file: string, pid: number) => Promise<void>;
  /** When it began, which tells it from others that have had its number; `undefined` when it is gone. */
  readonly startOf: (pid: number) => number | undefined;
}

const [makeFolder, removeFolder, writeText] = [promisify(mkdir), promisify(rmdir), promisify(writeFile)];

const BY_THE_KERNEL: Placing = {
  write: async (file, pid) => await writeText(file, String(pid)),
  startOf: (pid) => lookAt(pid)?.started,
};

export class ControlGroups {
  /** Of this process itself. */
  readonly #own: string;
  readonly #folder: string;
  readonly #placing: Placing;
  /** Those that the kernel did not let go at once. */
  #left: string[];
  /**
   * One at a time, in their order: the kernel has them wait for each other anyway, and the threads that they wait on are few.
   * A number that is used again by another of our programs is so placed once more, after what was in flight for the first.
   */
  readonly #turn = new Turns(1);
  /** Groups in which somebody else may be. */
  #doubtful = 0;

  private constructor(own: string, folder: string, placing: Placing, left: string[]) {
    this.#own = own;
    this.#folder = folder;
    this.#placing = placing;
    this.#left = left;
    void this.#turn.take(async () => await this.#removeLeft());
  }

  /** `undefined` where there are none, or this process may not make one. */
  static open(placing: Placing = BY_THE_KERNEL): ControlGroups | undefined {
    try {
      const own = ownFolder();
      if (own === undefined) return undefined;
      const abandoned = readdirSync(own)
        .filter(isAbandoned)
        .map((name) => join(own, name));
      for (const folder of abandoned) kill(folder);
      const folder = join(own, nameOfOwn());
      if (!existsSync(folder)) mkdirSync(folder);
      // Before Linux 5.14 there is nothing to end a group with.
      if (existsSync(join(folder, "cgroup.kill"))) return new ControlGroups(own, folder, placing, abandoned);
      rmdirSync(folder);
    } catch {
      // Not delegated to this user, or mounted for reading only.
    }
    return undefined;
  }

  /**
   * A group that the process is put into from now on, with all that it starts once it is there. What it forked before is not
   * in it; that was so when it was waited for too, because no program can be started inside of a group here.
   *
   * @param pid of a child that was started just now, and cannot have been waited for yet
   */
  add(run: string, pid: number): ControlGroup {
    const folder = join(this.#folder, run);
    const started = this.#placing.startOf(pid);
    let isCertain = false;
    const settled = this.#turn.take(async () => {
      await this.#removeLeft();
      isCertain = started !== undefined && (await this.#place(folder, pid, started));
    });
    return {
      settled,
      members: () => (isCertain ? membersOf(folder) : []),
      kill: () => {
        if (isCertain) kill(folder);
      },
      remove: () => void this.#turn.take(async () => await this.#remove(folder)),
    };
  }

  /** Whoever is still in one of them ends; what has not gone by then is left to the next launcher. */
  async close(): Promise<void> {
    await within(
      this.#turn.take(async () => await this.#removeLeft()),
      MAX_PLACING_MS,
    );
    if (this.#doubtful === 0) kill(this.#folder);
    for (let tries = 0; tries < MAX_TRIES && !(await remove(this.#folder)); tries++)
      await Bun.sleep(TRY_AGAIN_MS);
  }

  /** @returns whether it is certain that this process is in the group, and not another one that has its number now */
  async #place(folder: string, pid: number, started: number): Promise<boolean> {
    const { write, startOf } = this.#placing;
    // Most that end so soon have not been put anywhere.
    if (startOf(pid) !== started) return false;
    this.#doubtful++;
    let isIt = false;
    try {
      await makeFolder(folder);
      await write(join(folder, "cgroup.procs"), pid);
      isIt = startOf(pid) === started;
    } catch {
      // It has ended, or may not be moved.
    }
    if (isIt || (await this.#clear(folder))) this.#doubtful--;
    return isIt;
  }

  /**
   * It ended meanwhile. Who is in the group may be of whoever has had its number since, and is not ended for that: all of them
   * go to where this process is. What is of the command is found by other means, as where there are no groups.
   */
  async #clear(folder: string): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const members = membersOf(folder);
      if (members.length === 0) return true;
      for (const pid of members)
        await this.#placing.write(join(this.#own, "cgroup.procs"), pid).catch(() => undefined);
    }
    return false;
  }

  async #removeLeft(): Promise<void> {
    for (const folder of this.#left.splice(0)) await this.#remove(folder);
  }

  async #remove(folder: string): Promise<void> {
    if (!(await remove(folder))) this.#left.push(folder);
  }
}

export interface ControlGroup {
  /** It is certain whether the process is in it: until then it has no members, and never any when it is not. */
  readonly settled: Promise<void>;
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

/** @throws where this process is not seen as itself: who it is could not be told from others then */
function nameOfOwn(): string {
  const own = lookAt(process.pid);
  if (!own || readlinkSync("/proc/self") !== String(process.pid))
    throw new Error("/proc is of somebody else");
  return `ringfence-${process.pid}-${own.started}-${namespaces()}`;
}

/** In which processes have their numbers, and their times. */
function namespaces(): string {
  return ["pid", "time"].map(inodeOfNamespace).join("-");
}

function inodeOfNamespace(kind: string): string {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/ns/${kind}`))?.[0] ?? "0";
  } catch {
    return "0";
  }
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
