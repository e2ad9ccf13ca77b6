/**
 * Hosts on one state folder and one root, all at work at once, while now and then one of them is killed: they write, move and
 * delete the same few files and directories, decide about each other's proposals, undo each other's changes and search one
 * memory. Calls may lose a race, and say so; nothing is half done, forged or left behind at the end.
 *
 * `SEED=N bun test ./test/binary/many-hosts.test.ts` makes the calls of one seed; what they meet depends on the moment.
 */
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Random } from "../fuzz/wire-messages.ts";
import { readTree } from "../host/file-tree.ts";
import { binaryPath } from "./build-binary.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";

const SEEDS: readonly number[] = process.env["SEED"] === undefined ? [1, 2, 40] : [Number(process.env["SEED"])];
const HOSTS = 3;
const IN_FLIGHT = 4;
const CALLS = 600;
/** One call in so many is a kill. */
const KILL_EVERY = 60;
const LIMIT_MS = 120_000;

/** What a call may say that comes too late. */
const LOST: ReadonlySet<string> = new Set([
  "already_exists",
  "ambiguous",
  "busy",
  "conflict",
  "invalid_input",
  "no_match",
  "not_found",
  "stale",
]);
/** What is said where something went wrong that no other host of ours may cause. */
const WRONG = /somebody else has changed|cannot take back|cannot recover|nobody made it like this|disk I\/O|answered E/;

type Asked = readonly [method: string, params: object];

test.each(SEEDS)(
  "hosts on one state folder lose races and nothing else, also when one is killed: seed %i",
  async (seed) => {
    using place = new Place();
    await using crowd = Crowd.start(place, seed);
    await Promise.all(Array.from({ length: HOSTS * IN_FLIGHT }, async (_, lane) => await crowd.play(lane % HOSTS)));
    expect(crowd.problems.map((problem) => JSON.stringify(problem).slice(0, 1000))).toEqual([]);
    expect(crowd.done).toBeGreaterThan(CALLS / 3);
    expect(await crowd.close()).toEqual([]);
    // What was killed last is taken back by the next host.
    await using last = await startHost(place, "default");
    const { result } = await last.ask(1, "ringfence/history/undo", { dry_run: true });
    expect(result).toBeDefined();
    await last.close();
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
    const names = [place.root, join(place.stateDir, "memory")].flatMap((folder) => Object.keys(readTree(folder)));
    expect(names.filter((name) => name.includes(".ringfence_"))).toEqual([]);
    const verify = [await binaryPath(), "audit", "verify", "--state-dir", place.stateDir];
    const verified = Bun.spawnSync(verify);
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ""]);
  },
  LIMIT_MS,
);

async function startHost(place: Place, mode: "default" | "bypass"): Promise<ServeProcess> {
  const args = [`--mode=${mode}`, "--fence=off", "--config", join(place.path, "config.json")];
  return await ServeProcess.start(place, { args });
}

class Crowd implements AsyncDisposable {
  readonly problems: unknown[] = [];
  /** Calls that did what was asked. */
  done = 0;
  readonly #place: Place;
  readonly #hosts: Promise<ServeProcess>[];
  readonly #killed: ServeProcess[] = [];
  readonly #random: Random;
  /** Proposals of all of them. */
  readonly #proposals: string[] = ["p_none"];
  #asked = 0;

  private constructor(place: Place, hosts: Promise<ServeProcess>[], seed: number) {
    this.#place = place;
    this.#hosts = hosts;
    this.#random = createRandom(seed);
  }

  static start(place: Place, seed: number): Crowd {
    writeFileSync(join(place.path, "config.json"), JSON.stringify({ packs: { memory: {} } }));
    const hosts = Array.from({ length: HOSTS }, async (_, at) => await startHost(place, modeOf(at)));
    return new Crowd(place, hosts, seed);
  }

  /** One call after the other, of the host with this number, until all are made. */
  async play(at: number): Promise<void> {
    while (this.#asked < CALLS) {
      const host = await this.#hosts[at];
      if (!host) throw new Error(`there is no host ${at}`);
      if (this.#random.int(KILL_EVERY) === 0) {
        if (!host.child.killed) this.#kill(at, host);
        continue;
      }
      const id = ++this.#asked;
      const [method, params] = chooseCall(this.#random, this.#proposals);
      host.request(id, method, params);
      const answer = await host.answerOrEnd(id);
      if (answer) this.#look([method, params], answer);
    }
  }

  /** @returns what they said that nobody may say, the killed ones too */
  async close(): Promise<readonly string[]> {
    const living = await Promise.all(this.#hosts);
    for (const host of living) await host.close();
    const all = [...living, ...this.#killed];
    const said = await Promise.all(all.map(async ({ stderr }) => (await stderr).split("\n")));
    return said.flat().filter((line) => WRONG.test(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of [...(await Promise.all(this.#hosts)), ...this.#killed]) await host[Symbol.asyncDispose]();
  }

  #kill(at: number, host: ServeProcess): void {
    host.child.kill("SIGKILL");
    this.#killed.push(host);
    this.#hosts[at] = startHost(this.#place, modeOf(at));
  }

  #look(asked: Asked, { result, error }: WireMessage): void {
    const { [FAILURE]: failure, [PROPOSAL]: proposal } = result?._meta ?? {};
    if (proposal) this.#proposals.push(`${proposal.id}@${proposal.digest}`);
    const code = failure?.code ?? (error?.data as { readonly code?: string } | undefined)?.code;
    const isFailed = error !== undefined || result?.isError === true;
    if (!isFailed) this.done++;
    if (isFailed && (!LOST.has(code ?? "") || WRONG.test(JSON.stringify([result, error]))))
      this.problems.push([asked, result ?? error]);
  }
}

const FAILURE = "dev.ringfence/failure";
const PROPOSAL = "dev.ringfence/proposal";

/** The first has proposals made, which all of them decide about. */
function modeOf(at: number): "default" | "bypass" {
  return at === 0 ? "default" : "bypass";
}

const DIRECTORIES = ["d0", "d1", "d0/s0", "d1/s1/t", "e"] as const;

function chooseCall(random: Random, proposals: readonly string[]): Asked {
  const directory = (): string => random.pick(DIRECTORIES);
  const path = (): string => `${directory()}/f${random.int(3)}.txt`;
  const either = (): string => random.pick([path, directory])();
  const aside = (): string => `m${random.int(3)}`;
  const text = (): string =>
    Array.from({ length: 1 + random.int(5) }, (_, at) => `line ${at} ${random.int(1000)}\n`).join("");
  const namespace = (): string => `n${random.int(3)}/x`;
  const overwrite = (): boolean => random.int(2) === 0;
  const write = (): object => ({ op: "write_file", path: path(), content: text() });
  const makeDirectory = (): object => ({ op: "create_directory", path: directory() });
  const calls: readonly (() => Asked)[] = [
    () => tool("write_file", { path: path(), content: text() }),
    () => tool("append_file", { path: path(), content: text() }),
    () => tool("edit_file", { path: path(), old_text: "line 0", new_text: "line zero" }),
    () => tool("create_directory", { path: directory() }),
    () => tool("delete", { path: either(), recursive: true }),
    () => tool("move", { source: path(), destination: path(), overwrite: overwrite() }),
    () => tool("move", { source: directory(), destination: aside() }),
    () => tool("move", { source: aside(), destination: directory() }),
    () => tool("copy", { source: either(), destination: aside(), overwrite: overwrite(), recursive: true }),
    () => tool("change_files", { operations: [write(), makeDirectory(), write()] }),
    () => tool("read_file", { path: path() }),
    () => tool("grep", { pattern: "line" }),
    () => tool("memory_write", { namespace: namespace(), content: text() }),
    () => tool("memory_write", { namespace: namespace(), content: text(), mode: "replace" }),
    () => tool("memory_search", { query: "line" }),
    () => tool("memory_delete", { namespace: namespace() }),
    () => ["ringfence/history/undo", {}],
    () => ["ringfence/history/list", { check: true }],
    () => ["ringfence/proposals/list", { check: true }],
    () => ["ringfence/proposals/apply", { id: random.pick(proposals) }],
    () => ["ringfence/proposals/reject", { id: random.pick(proposals), reason: "no" }],
    () => ["ringfence/grants/add", { rule: `write_file(g${random.int(5)}/**)`, remember: true }],
  ];
  return random.pick(calls)();
}

function tool(name: string, given: object): Asked {
  return ["tools/call", { name, arguments: given }];
}
