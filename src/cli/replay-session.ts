/**
 * Makes the calls of a session again, one after the other, on a copy of its files, and compares how each ends. What a person
 * decided between them is done again at its place: a proposal is applied, a change undone, a rule granted.
 *
 * What reaches outside of the roots is never made again: tools of other servers and of the client, the network, the desktop, and
 * what is about the state folder itself, where the memory has its notes unless a root has them.
 */
import type { SessionFacts } from "../audit/index.ts";
import { Failure } from "../base/index.ts";
import type { Tool } from "../contract/index.ts";
import { loadLateParts, type Host } from "../host/index.ts";
import { EFFECTS } from "../policy/index.ts";
import { compareCalls, type Difference, type RecordedCall, type ReplayStep } from "../recorded/index.ts";
import type { KeptCall } from "../state/index.ts";
import { RpcError } from "../wire/index.ts";
import { askHost, stopBySignal } from "./open-host.ts";

export interface ReplayedCall {
  /** The audit id in the session. */
  readonly call: string;
  readonly tool: string;
  readonly state: "same" | "differs" | "skipped" | "would be made";
  /** Why it was not made again. */
  readonly why?: string;
  readonly differences?: readonly Difference[];
  /** The audit id of the new call. */
  readonly again?: string;
}

export interface Replay {
  readonly session: string;
  readonly calls: readonly ReplayedCall[];
  readonly same: number;
  readonly differs: number;
  readonly skipped: number;
  /** What a person decided in the session and could not be done again. */
  readonly problems: readonly string[];
}

/** @param isDry nothing is made; it is only said what would be. @param report hears how many steps are behind it */
export async function replaySession(
  host: Host,
  session: SessionFacts,
  steps: readonly ReplayStep[],
  isDry: boolean,
  report: (done: number, total: number, what: string) => void = () => undefined,
): Promise<Replay> {
  refuseOwnRoots(host, session);
  const replayer = new Replayer(host, session);
  const calls: ReplayedCall[] = [];
  const problems: string[] = [];
  for (const [index, step] of steps.entries()) {
    report(index, steps.length, "calls made again");
    if (step.kind === "call") calls.push(await replayer.call(step.call, isDry));
    else if (!isDry) {
      const problem = await replayer.decide(step);
      if (problem !== undefined) problems.push(problem);
    }
  }
  const count = (wanted: ReplayedCall["state"]): number => calls.filter(({ state }) => state === wanted).length;
  const counts = { same: count("same"), differs: count("differs"), skipped: count("skipped") };
  return { session: session.id, calls, ...counts, problems };
}

/** @throws Failure `denied` where the session itself worked: its changes would be made a second time */
function refuseOwnRoots({ config }: Host, { id, roots }: SessionFacts): void {
  const own = config.roots.find(({ path }) => roots.some((root) => within(path, root) || within(root, path)));
  if (own)
    throw new Failure("denied", `Cannot replay the session "${id}" in "${own.path}": it worked there`, {
      hint: "Copy the files as they were before the session, and give the copy: --root COPY.",
    });
  if (config.roots.length !== roots.length)
    throw new Failure("invalid_input", `Cannot replay the session "${id}": it had ${roots.length} roots`, {
      hint: `Give a copy of each, in this order: ${roots.join(", ")}.`,
    });
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The powers of a context behind which there is more than the roots. */
const OUTSIDE: readonly string[] = ["http", "program", "remote"];

/** Whether a call could reach the network, the desktop, another server or the client, whatever its effect is called. */
function reachesOut({ owner, effect, sends = false, needs = [] }: Tool): boolean {
  const { isOpenWorld, isOnScreen } = EFFECTS[effect];
  const hasPower = needs.some((need) => (typeof need === "string" ? OUTSIDE.includes(need) : need.runsIn === "net"));
  return owner !== undefined || isOpenWorld || isOnScreen || sends || hasPower;
}

/** Notes of the memory are copied with the roots only where the configuration has their folder inside of one. */
function isAboutState({ group, remembers }: Tool, { config }: Host): boolean {
  const { folder } = (config.packSettings["memory"] ?? {}) as { readonly folder?: unknown };
  return group === "sessions" || (remembers === true && folder === undefined);
}

class Replayer {
  readonly #host: Host;
  readonly #session: SessionFacts;
  /** What the host says of the call that is being made. */
  #kept: KeptCall | undefined;
  /** By the ids in the session: what stands for them now. */
  readonly #ids = new Map<string, string>();
  readonly #digests = new Map<string, string>();

  constructor(host: Host, session: SessionFacts) {
    this.#host = host;
    this.#session = session;
    const before = host.keepCall;
    host.keepCall = (kept) => {
      before?.(kept);
      this.#kept = kept;
    };
    host.audit.listen((line) => this.#note(line));
  }

  async call(call: RecordedCall, isDry: boolean): Promise<ReplayedCall> {
    const named = { call: call.id, tool: call.name };
    const why = call.why ?? (await this.#refusalOf(call));
    if (why !== undefined) return { ...named, state: "skipped", why };
    if (isDry) return { ...named, state: "would be made" };
    const kept = await this.#make(call);
    if (!kept) return { ...named, state: "skipped", why: "it did not come to an end" };
    this.#pair(call, kept);
    const differences = compareCalls(call.expected, kept);
    const again = { again: kept.call };
    return differences.length === 0
      ? { ...named, state: "same", ...again }
      : { ...named, state: "differs", differences, ...again };
  }

  async #refusalOf({ name }: RecordedCall): Promise<string | undefined> {
    const tool = (await this.#host.registry()).get(name);
    if (!tool) return "the tool is not here";
    if (reachesOut(tool)) return "it reaches outside of the roots";
    return isAboutState(tool, this.#host) ? "it is about the state folder" : undefined;
  }

  async #make({ name, arguments: given, kept }: RecordedCall): Promise<KeptCall | undefined> {
    const { speak } = await loadLateParts();
    this.#kept = undefined;
    const call = { name, arguments: this.#here(given), meta: kept?.meta ?? {}, isDryRun: kept?.dry };
    try {
      await stopBySignal(async (signal) => await speak(this.#host, { ...call, signal }));
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
    }
    return this.#kept;
  }

  /** Does again what a person decided. @returns why it cannot be done */
  async decide(step: Exclude<ReplayStep, { readonly kind: "call" }>): Promise<string | undefined> {
    try {
      if (step.kind === "grant") await askHost(this.#host, "ringfence/grants/add", { rule: step.rule });
      if (step.kind === "apply") await this.#apply(step);
      if (step.kind === "undo") {
        const transaction = this.#nowOf(step.transaction);
        await askHost(this.#host, "ringfence/history/undo", { transaction });
      }
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown.message;
      throw thrown;
    }
  }

  async #apply({ proposal, transaction, parts }: Extract<ReplayStep, { readonly kind: "apply" }>): Promise<void> {
    const id = this.#nowOf(proposal);
    const applied = await askHost(this.#host, "ringfence/proposals/apply", {
      id: `${id}@${this.#digests.get(id)}`,
      ...(this.#here(parts) as object),
    });
    const made = (applied as { readonly transaction?: unknown }).transaction;
    if (transaction !== undefined && typeof made === "string") this.#ids.set(transaction, made);
  }

  /** @throws Failure `not_found` */
  #nowOf(id: string): string {
    const now = this.#ids.get(id);
    if (now !== undefined) return now;
    throw new Failure("not_found", `Cannot do again what was decided about "${id}": its call was not made again`, {
      hint: "The line of that call says how it ended here.",
    });
  }

  #note({ event, call, proposal, digest, transaction }: Readonly<Record<string, unknown>>): void {
    if (event !== "change") return;
    if (typeof proposal === "string") this.#digests.set(proposal, String(digest));
    this.#made = { call, proposal, transaction };
  }

  #made: { readonly call: unknown; readonly proposal: unknown; readonly transaction: unknown } | undefined;

  /** Later calls and decisions name what this one has made. */
  #pair(call: RecordedCall, now: KeptCall): void {
    const made = this.#made?.call === now.call ? this.#made : undefined;
    const pairs = [
      [call.proposal, made?.proposal],
      [call.transaction, made?.transaction],
      ...(call.kept?.ids ?? []).map((id, at) => [id, now.ids?.[at]] as const),
    ];
    for (const [was, is] of pairs) if (typeof was === "string" && typeof is === "string") this.#ids.set(was, is);
  }

  /** Arguments that name a root or an id of the session, with what stands for it now. */
  #here(value: unknown): unknown {
    if (typeof value === "string") return this.#hereText(value);
    if (Array.isArray(value)) return value.map((one) => this.#here(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#here(one)]));
  }

  #hereText(text: string): string {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const index = this.#session.roots.findIndex((root) => within(text, root));
    const [was, now] = [this.#session.roots[index], this.#host.config.roots[index]];
    return was !== undefined && now ? now.path + text.slice(was.length) : text;
  }
}
