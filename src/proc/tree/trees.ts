/**
 * Which processes belong to which command, so that all of them can be ended. Each command has a keeper, a child of this
 * process, and everything that the command ever starts comes from its keeper, however often it forks and whatever it
 * leaves: by ancestry, and by nothing that a program can choose. Where control groups can be had the kernel keeps a
 * command together besides.
 *
 * Whoever comes to this process without having been started by it was kept by a keeper that somebody ended, and is ended
 * too. It may also be of what was handed to the desktop, which outlives everything: while every keeper stands, it is.
 */
import { openSystemCalls } from "../../sys/index.ts";
import { ControlGroups, type ControlGroup } from "./control-group.ts";
import type { Followed } from "../run/spawn-program.ts";
import { endThose, isRunning, send, type AskingSignal, childrenOf, descendantsOf, lookAt } from "./processes.ts";

export interface Tree {
  readonly run: string;
  /** Where the kernel keeps it together. */
  readonly group: ControlGroup | undefined;
  /** Absent before it was started. */
  keeper: number | undefined;
  /** none: it has ended with nobody left. fallen: it was ended, and what it kept came to this process. */
  keeping: "none" | "stands" | "fallen";
  /** Nobody waits for it any more; only what could not be ended yet is left. */
  isOver: boolean;
}

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
const LOOK_AFTER_MS = 200;
const POLL_MS = 10;

export class Trees {
  readonly #trees = new Set<Tree>();
  /** Children that were started here, and have not been waited for. */
  readonly #own = new Set<number>();
  /** What the desktop shows: by number, when each process began. */
  readonly #persons = new Map<number, number>();
  #hasDesktop = false;
  readonly #calls = openSystemCalls();
  readonly #groups: ControlGroups | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(groups: ControlGroups | undefined = ControlGroups.open()) {
    this.#groups = groups;
    this.#calls?.call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }

  /** For a command that is about to be started. */
  add(run: string): Tree {
    const group = this.#groups?.add(run);
    const tree: Tree = { run, group, keeper: undefined, keeping: "none", isOver: false };
    this.#trees.add(tree);
    this.#lookAgain();
    return tree;
  }

  /** @param keeper a child that was started just now */
  keep(tree: Tree, keeper: number, { gone }: Pick<Followed, "gone">): void {
    this.#own.add(keeper);
    tree.keeper = keeper;
    tree.keeping = "stands";
    void this.#follow(tree, keeper, gone);
  }

  /** This child shows something on the desktop: what comes of it is nobody's here. */
  handOver(child: Pick<Bun.Subprocess, "pid" | "exited">): void {
    this.#hasDesktop = true;
    this.#own.add(child.pid);
    void child.exited.then(() => this.#own.delete(child.pid));
  }

  /** Nobody waits for it any more. */
  remove(tree: Tree): void {
    tree.isOver = true;
    this.#lookAfter();
  }

  /** Everything of it that runs now. */
  members(tree: Tree): number[] {
    const { keeper, keeping, group } = tree;
    const found = keeping === "fallen" ? this.#strays().flatMap(withDescendants) : [];
    if (keeping === "stands" && keeper !== undefined) found.push(...descendantsOf(keeper));
    return [...new Set([...found, ...(group?.members() ?? [])])].filter(isRunning);
  }

  /** Asks all of it to end, and ends what is still there after the grace. @returns whether all of it is gone */
  async end(tree: Tree, graceMs: number, asking: AskingSignal = "SIGTERM"): Promise<boolean> {
    let members = graceMs > 0 ? this.members(tree) : [];
    for (const pid of members) send(pid, asking);
    for (let waited = 0; waited < graceMs && members.length > 0; waited += POLL_MS) {
      await Bun.sleep(POLL_MS);
      members = this.members(tree);
    }
    return await endThose(
      () => this.members(tree),
      () => tree.group?.kill(),
    );
  }

  /** All of everything, at once: the host is gone. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#trees].map(async (tree) => await this.end(tree, 0)));
    for (const tree of this.#trees) this.remove(tree);
    await this.#groups?.close();
  }

  async #follow(tree: Tree, keeper: number, gone: Followed["gone"]): Promise<void> {
    const isOrderly = await gone;
    this.#own.delete(keeper);
    if (tree.keeper === keeper && tree.keeping !== "none") tree.keeping = isOrderly ? "none" : "fallen";
    // Also what it had not looked after itself comes to this process with its end.
    this.#lookAfter();
  }

  #lookAfter(): void {
    for (const tree of this.#trees) if (tree.isOver) this.#release(tree);
    this.#lookAtStrays();
    if (this.#trees.size > 0 || this.#strays().length > 0) {
      this.#lookAgain();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #lookAgain(): void {
    this.#timer ??= setInterval(() => this.#lookAfter(), LOOK_AFTER_MS);
  }

  /** What could not be ended in time is tried again; its keeper stays until then. */
  #release(tree: Tree): void {
    const left = this.members(tree);
    tree.group?.kill();
    for (const pid of left) send(pid, "SIGKILL");
    if (left.length > 0) return;
    const wasStanding = tree.keeping === "stands";
    tree.keeping = "none";
    if (wasStanding && tree.keeper !== undefined) send(tree.keeper, "SIGKILL");
    this.#trees.delete(tree);
    tree.group?.remove();
  }

  /**
   * Who came to this process belongs to the desktop, if anything was ever shown there and all keepers stand. That is looked
   * at after it was found: a keeper that is ended afterwards has left somebody else.
   */
  #lookAtStrays(): void {
    const strays = this.#strays();
    const keepers = [...this.#trees].filter(({ keeping }) => keeping !== "none");
    const isFallen = keepers.some(({ keeping }) => keeping === "fallen");
    // Of one that has ended it is not known yet how.
    if (!isFallen && keepers.some(({ keeper }) => !isRunning(keeper ?? 0))) return;
    for (const pid of strays) {
      const found = lookAt(pid);
      if (!found) continue;
      if (found.state === "Z") this.#calls?.call("wait4", pid, 0, WNOHANG, 0);
      else if (this.#hasDesktop && !isFallen) this.#persons.set(pid, found.started);
      else for (const one of withDescendants(pid)) send(one, "SIGKILL");
    }
  }

  /** Children that were not started here. */
  #strays(): number[] {
    return childrenOf(process.pid).filter((pid) => {
      if (this.#own.has(pid)) return false;
      const began = this.#persons.get(pid);
      if (began === undefined) return true;
      const now = lookAt(pid);
      if (now?.started === began && now.state !== "Z") return false;
      this.#persons.delete(pid);
      return true;
    });
  }
}

function withDescendants(pid: number): number[] {
  return [pid, ...descendantsOf(pid)];
}
