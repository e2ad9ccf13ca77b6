/**
 * Which processes belong to which command, so that all of them can be ended. The launcher is a subreaper: whoever loses
 * its parent becomes the launcher's child, so that a daemon that forks twice does not get away.
 *
 * Such an orphan is known by a variable that its command was started with, by its session, or else by when it turned up.
 * What belongs to nobody that is still there is ended at once. Where control groups can be had, the kernel keeps a command
 * together besides.
 */
import { openLibc } from "../base/index.ts";
import { openSystemCalls } from "../fence/index.ts";
import { ControlGroups, MAX_PLACING_MS, type ControlGroup } from "./control-group.ts";
import { RUN_VARIABLE } from "./child-environment.ts";
import { childrenOf, descendantsOf, lookAt, variableOf } from "./process-table.ts";
import { within } from "./within.ts";

export interface Tree {
  readonly run: string;
  /** Of the program; its session has the same number. */
  readonly pid: number;
  /** Its program, not all of it. */
  hasEnded: boolean;
  /** Where the kernel keeps it together. */
  readonly group: ControlGroup | undefined;
}

/** What the variable says in what is opened on the desktop: that outlives everything. */
export const FOR_THE_PERSON = "desktop";

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
const LOOK_AFTER_MS = 200;
const POLL_MS = 10;
/** Rounds of ending what is there, for a tree that grows meanwhile. */
const MAX_ROUNDS = 300;

export class Trees {
  readonly #trees = new Set<Tree>();
  /** Orphans by process, and whose they are. */
  readonly #orphans = new Map<number, Tree | undefined>();
  /** Children that belong to no command yet. */
  readonly #apart = new Set<number>();
  readonly #waitpid = openLibc({ waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" } })?.waitpid;
  readonly #groups: ControlGroups | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(groups: ControlGroups | undefined = ControlGroups.open()) {
    this.#groups = groups;
    openSystemCalls()?.call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }

  /** @param pid of a child that was started just now */
  add(run: string, pid: number): Tree {
    this.#apart.delete(pid);
    const tree = { run, pid, hasEnded: false, group: this.#groups?.add(run, pid) };
    this.#trees.add(tree);
    this.#timer ??= setInterval(() => this.#lookAfter(), LOOK_AFTER_MS);
    return tree;
  }

  /** This child belongs to no command, until one is added with it. */
  keepApart(pid: number): void {
    this.#apart.add(pid);
  }

  /** It has ended, and was waited for. */
  forget(pid: number): void {
    this.#apart.delete(pid);
  }

  /** Nothing of it is left. */
  remove(tree: Tree): void {
    this.#trees.delete(tree);
    tree.group?.remove();
    this.#lookAfter();
  }

  /** Its group can be asked, or never will be; not longer than is bearable. */
  async settle({ group }: Tree): Promise<void> {
    if (group) await within(group.settled, MAX_PLACING_MS);
  }

  /** Everything of it that runs now, its own program too; before it has settled, without what only its group knows. */
  members(tree: Tree): number[] {
    this.#findOrphans();
    const orphans = [...this.#orphans].filter(([, owner]) => owner === tree).map(([pid]) => pid);
    const roots = tree.hasEnded ? orphans : [tree.pid, ...orphans];
    const found = roots.flatMap((pid) => [pid, ...descendantsOf(pid)]);
    return [...new Set([...found, ...(tree.group?.members() ?? [])])].filter(isRunning);
  }

  /** Asks all of it to end, and ends what is still there after the grace. @returns whether all of it is gone */
  async end(tree: Tree, graceMs: number): Promise<boolean> {
    // Who is known hears of it at once; the group may still be waited for.
    const known = this.members(tree);
    if (known.length > 0) this.#signal(tree, known, graceMs > 0 ? "SIGTERM" : "SIGKILL");
    await this.settle(tree);
    let members = this.members(tree);
    if (graceMs > 0 && members.length > 0) {
      for (const pid of members) if (!known.includes(pid)) send(pid, "SIGTERM");
      for (let waited = 0; waited < graceMs && members.length > 0; waited += POLL_MS) {
        await Bun.sleep(POLL_MS);
        members = this.members(tree);
      }
    }
    for (let round = 0; round < MAX_ROUNDS && members.length > 0; round++) {
      this.#signal(tree, members, "SIGKILL");
      await Bun.sleep(round < 5 ? 1 : POLL_MS);
      members = this.members(tree);
    }
    return members.length === 0;
  }

  /** All of everything, at once: the host is gone. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#trees].map(async (tree) => await this.end(tree, 0)));
    this.#lookAfter();
    await this.#groups?.close();
  }

  #signal(tree: Tree, members: readonly number[], signal: "SIGTERM" | "SIGKILL"): void {
    if (signal === "SIGKILL") tree.group?.kill();
    // Its process group may be of somebody else when the one that leads it is gone.
    if (!tree.hasEnded) send(-tree.pid, signal);
    for (const pid of members) send(pid, signal);
  }

  #lookAfter(): void {
    this.#findOrphans();
    for (const [pid, owner] of this.#orphans) {
      if (lookAt(pid)?.state === "Z") this.#waitpid?.(pid, null, WNOHANG);
      if (!lookAt(pid)) this.#orphans.delete(pid);
      else if (!owner || !this.#trees.has(owner))
        for (const one of [pid, ...descendantsOf(pid)]) send(one, "SIGKILL");
    }
    if (this.#trees.size > 0 || this.#orphans.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #findOrphans(): void {
    const direct = new Set([...this.#trees].filter((tree) => !tree.hasEnded).map(({ pid }) => pid));
    for (const pid of childrenOf(process.pid)) {
      if (direct.has(pid) || this.#orphans.has(pid) || this.#apart.has(pid)) continue;
      if (variableOf(pid, RUN_VARIABLE) !== FOR_THE_PERSON) this.#orphans.set(pid, this.#ownerOf(pid));
    }
  }

  #ownerOf(pid: number): Tree | undefined {
    const trees = [...this.#trees];
    const run = variableOf(pid, RUN_VARIABLE);
    const session = lookAt(pid)?.session;
    return (
      trees.find((tree) => tree.run === run) ??
      trees.find((tree) => tree.pid === session) ??
      trees.findLast((tree) => !tree.hasEnded) ??
      trees.at(-1)
    );
  }
}

function isRunning(pid: number): boolean {
  const found = lookAt(pid);
  return found !== undefined && found.state !== "Z" && found.state !== "X";
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
