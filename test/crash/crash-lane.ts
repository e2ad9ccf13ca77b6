/**
 * One root and one state folder on which faults are played, one after the other, and what is looked at after each: the
 * tree is wholly old or wholly new, what was answered is there, and nothing of the transaction is left over.
 *
 * Usual mistake: to look before the recovery. It comes with the next job of the change worker, so that is asked first.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layFiles, makeOld, readTree } from "../host/file-tree.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess, type WireMessage } from "../binary/serve-process.ts";
import { clearFolder } from "../scope/path-cases.ts";
import { OLD_TREE, type Scene } from "./crash-scenes.ts";
import { attach, countCalls, doomed, type Injection } from "./inject.ts";

export interface Trial {
  readonly scene: Scene;
  readonly injection: Injection;
  /** The fault came before the call was over. */
  readonly isHit: boolean;
  /** What the tree was afterwards. */
  readonly tree: "old" | "new" | "neither";
  /** What was done can be undone. The disk may refuse the note of it, when the change is there already. */
  readonly isNoted: boolean;
  readonly violations: readonly string[];
}

const OLD_FILES = Object.entries(OLD_TREE)
  .filter(([, entry]) => typeof entry === "string" || "text" in entry)
  .map(([path]) => path);
const FLAGS = ["--fence=off", "--baseline=if_known"];
const THEIRS = "what somebody else wrote\n";

interface Measured {
  /** How often each kind of call is made. */
  readonly counts: Map<string, number>;
  /** What is left. */
  readonly tree: string;
}

/** What the fault comes into. */
interface Request {
  readonly method: string;
  readonly params: object;
}

export class CrashLane implements AsyncDisposable {
  readonly #place = new Place();
  #host: ServeProcess | undefined;
  #mode = "";
  #lastId = 0;

  async measure(scene: Scene): Promise<Measured> {
    const [host, { method, params }] = await this.#ready(scene);
    const tracer = await attach(host.child.pid, join(this.#place.path, "strace.log"));
    const answer = await this.#ask(method, params);
    const log = await tracer.detach();
    if (!isApplied(answer)) throw new Error(`${scene.name} fails without a fault: ${JSON.stringify(answer)}`);
    return { counts: countCalls(log), tree: this.#tree(scene) };
  }

  /** @param newTree of `measure` */
  async play(scene: Scene, newTree: string, injection: Injection): Promise<Trial> {
    const [host, { method, params }] = await this.#ready(scene);
    const old = this.#tree(scene);
    const known = new Set((await this.#history()).map(({ transaction }) => transaction));
    const tracer = await attach(host.child.pid, join(this.#place.path, "strace.log"), injection);
    const id = ++this.#lastId;
    host.request(id, method, params);
    const answer = await host.answerOrEnd(id);
    const log = await tracer.detach();
    const isHit = log.includes("(INJECTED)") || log.includes("killed by SIGKILL");
    const isKilled = injection.fault === "kill" || log.includes("killed by SIGKILL");
    const isDead = isKilled || answer === undefined;
    // A living host tidies up after an error with its next job; what it cannot, the next host does.
    if (isDead || (await this.#isUntidy())) await this.#endHost();
    const meddled = isDead ? await this.#meddle(scene) : [];
    if (injection.again) await this.#dieRecovering(injection.again);
    await this.#start();
    const added = (await this.#history()).filter(({ transaction }) => !known.has(transaction));
    const noted = added.filter(({ conflict }) => !conflict);
    const tree = this.#tree(scene);
    const kind = tree === old ? "old" : tree === newTree ? "new" : "neither";
    // It says itself that only the next call will tell.
    const isOpen = answer !== undefined && textOf(answer).includes("cannot take back now");
    const violations = [
      ...meddled,
      ...(isDead && !isKilled ? ["the host ended, and nobody had killed it"] : []),
      ...(kind === "neither" ? [`the tree is ${tree}`] : []),
      ...(isApplied(answer) && kind !== "new" ? ["it was answered as applied, and is not there"] : []),
      ...(answer && !isApplied(answer) && !isOpen && kind !== "old"
        ? [`it failed, and is there: ${textOf(answer)}`]
        : []),
      ...(kind === "old" && noted.length > 0 ? ["the history has a note of what was taken back"] : []),
      ...(kind === "new" && noted.length !== 1 && isDead ? ["the history has no note of it"] : []),
      ...this.#leftOver(),
    ];
    if (kind === "new" && noted.length === 1 && !scene.meddling)
      violations.push(...(await this.#undoneWrong(noted[0]?.transaction, scene, old)));
    if (violations.length > 0) await this.#endHost();
    return { scene, injection, isHit, tree: kind, isNoted: kind === "old" || noted.length === 1, violations };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endHost();
    this.#place[Symbol.dispose]();
  }

  /** A host that has changed something already, on a fresh tree, and what comes next there. */
  async #ready(scene: Scene): Promise<[ServeProcess, Request]> {
    const mode = scene.way === "apply" ? "--mode=default" : "--mode=bypass";
    if (mode !== this.#mode) await this.#endHost();
    this.#mode = mode;
    const host = await this.#start();
    clearFolder(this.#place.root);
    layFiles(this.#place.root, OLD_TREE);
    // What a user changes was mostly written long ago, and it is the user's own file that is kept.
    makeOld(this.#place.root);
    // What the host has made of these files in the last trial is not what stands there now.
    await this.#ask("tools/call", { name: "read_files", arguments: { files: OLD_FILES } });
    const call = { method: "tools/call", params: { name: scene.tool, arguments: scene.given } };
    if (!scene.way) return [host, call];
    await this.#ask(call.method, call.params);
    if (scene.way === "undo") {
      const [last] = await this.#history();
      return [host, { method: "ringfence/history/undo", params: { transaction: last?.transaction } }];
    }
    const { result } = await this.#ask("ringfence/proposals/list", {});
    const [proposal] = (result?.["proposals"] ?? []) as { id: string }[];
    // A host that was killed may have made it.
    const shown = await this.#ask("ringfence/proposals/get", { id: proposal?.id });
    const label = `${proposal?.id}@${String(shown.result?.["digest"])}`;
    return [host, { method: "ringfence/proposals/apply", params: { id: label } }];
  }

  async #start(): Promise<ServeProcess> {
    if (this.#host) return this.#host;
    this.#host = await ServeProcess.start(this.#place, { args: [...FLAGS, this.#mode] });
    await this.#history();
    return this.#host;
  }

  /** What somebody else does before the next host. @returns what they have lost by it */
  async #meddle({ meddling }: Scene): Promise<string[]> {
    const { root } = this.#place;
    if (meddling?.file !== undefined) {
      const path = join(root, meddling.file);
      if (!existsSync(path)) return [];
      writeFileSync(path, THEIRS);
      await this.#start();
      return readFileSync(path, "utf8") === THEIRS ? [] : [`their ${meddling.file} is gone`];
    }
    if (meddling?.directory === undefined) return [];
    const [path, other] = [join(root, meddling.directory), join(root, "elsewhere")];
    renameSync(path, other);
    const moved = JSON.stringify(readTree(other));
    await this.#start();
    await this.#endHost();
    const isSame = JSON.stringify(readTree(other)) === moved && !existsSync(path);
    renameSync(other, path);
    return isSame ? [] : ["something was done in a directory that was moved"];
  }

  async #endHost(): Promise<void> {
    await this.#host?.[Symbol.asyncDispose]();
    this.#host = undefined;
  }

  /** A host whose recovery is killed, or which comes through when there are fewer such calls in it. */
  async #dieRecovering(again: { readonly call: string; readonly nth: number }): Promise<void> {
    const { root, stateDir } = this.#place;
    const serve = [await binaryPath(), "serve", "--root", root, "--state-dir", stateDir, ...FLAGS, this.#mode];
    await using host = await ServeProcess.start(this.#place, {
      binary: Bun.which("strace") ?? "strace",
      command: [...doomed(again), ...serve],
    });
    host.request(1, "ringfence/history/list");
    await host.answerOrEnd(1);
    // Not by killing strace: what it traces would go on without it.
    if (host.child.exitCode === null && host.child.signalCode === null) await host.endInput();
  }

  async #isUntidy(): Promise<boolean> {
    await this.#history();
    return this.#leftOver().length > 0;
  }

  async #history(): Promise<readonly { readonly transaction: string; readonly conflict?: true }[]> {
    const { result } = await this.#ask("ringfence/history/list", {});
    return (result?.["transactions"] ?? []) as { transaction: string; conflict?: true }[];
  }

  async #ask(method: string, params: object): Promise<WireMessage> {
    const id = ++this.#lastId;
    this.#host?.request(id, method, params);
    if (!this.#host) throw new Error("there is no host");
    return await this.#host.answer(id);
  }

  async #undoneWrong(transaction: string | undefined, scene: Scene, old: string): Promise<string[]> {
    const answer = await this.#ask("ringfence/history/undo", { transaction });
    if (answer.error) return [`it cannot be undone: ${JSON.stringify(answer.error)}`];
    const tree = this.#tree(scene);
    return tree === old ? this.#leftOver() : [`undone, the tree is ${tree}`];
  }

  #leftOver(): string[] {
    const { root, stateDir } = this.#place;
    const names = readdirSync(root, { recursive: true, encoding: "utf8" });
    return [
      ...readdirSync(join(stateDir, "journal")).map((name) => `${name} is left in the journal`),
      ...names.filter((name) => name.includes(".ringfence_")).map((name) => `${name} is left`),
    ];
  }

  /** But for the file that somebody else writes into. */
  #tree({ meddling }: Scene): string {
    const tree = Object.entries(readTree(this.#place.root));
    return JSON.stringify(tree.filter(([path]) => path !== meddling?.file));
  }
}

function isApplied(answer: WireMessage | undefined): boolean {
  return answer?.result !== undefined && answer.result["isError"] !== true;
}

function textOf(answer: WireMessage): string {
  return (answer.result?.content?.at(-1)?.text ?? JSON.stringify(answer.error ?? null)).slice(0, 300);
}
