/**
 * One session of a real client with the scripted model: in a home, a project and a network namespace of its own, configured
 * by docs/clients.md and by nothing else that concerns ringfence.
 *
 * Invariant: the client meets no network but the model's, and nothing of this machine's user.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LineSplitter } from "../../scripts/start/line-splitter.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "../cli/run-ringfence.ts";
import { npmClient } from "../components/npm-client.ts";
import { inOwnNetwork } from "../components/own-network.ts";
import { settled, until } from "../waits/until.ts";
import type { DrivenClient } from "./driven-clients.ts";
import type { Turn } from "./mock-model.ts";
import { ENDLESS, PROJECT_FILES, type Step } from "./scenarios.ts";
import { readSetup, writeSetup, type Setup } from "./snippets.ts";
import type { Part, Told } from "./stage.ts";
import type { Conversation } from "./wires/wire-format.ts";
import { killAll } from "../kill.ts";

export interface RecordLine {
  readonly event: string;
  readonly call?: string;
}

export class ClientSession implements AsyncDisposable {
  /** Every request for a reply that the client has made of the model. */
  readonly asked: Conversation[] = [];
  /** What `ringfence proposals apply` said, by the index of the step that is approved. */
  readonly approvals: Map<number, CliResult> = new Map();
  readonly place: Place = new Place();
  readonly #home: string = join(this.place.path, "home");
  readonly #steps: readonly Step[];
  readonly #ended: PromiseWithResolvers<number | null> = Promise.withResolvers();
  #stage: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  #client = 0;

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
    // Whoever waits for the end is told; a test that ends the session itself does not wait.
    this.#ended.promise.catch(() => {});
  }

  /** @param setUp what writes the client's files, and how it is started; default: the page */
  static async start(
    client: DrivenClient,
    steps: readonly Step[],
    setUp: (at: SetUpPlace) => Promise<Started> = async (at) => await setUpBy(client, at),
  ): Promise<ClientSession> {
    const session = new ClientSession(steps);
    await session.#start(client, setUp);
    return session;
  }

  /** What the model was told after the last step: one text for each. */
  get results(): readonly string[] {
    return this.asked.reduce<readonly string[]>(
      (most, { results }) => (results.length >= most.length ? results : most),
      [],
    );
  }

  /** Waits for the end of the client. @returns its exit code */
  async ended(): Promise<number | null> {
    try {
      return await settled("the end of the client", this.#ended.promise);
    } catch (thrown) {
      throw new Error(`${String(thrown)}; ${this.shown()}`, { cause: thrown });
    }
  }

  /** Ctrl-C: the signal goes to the client and to what stands in its group. */
  interrupt(): void {
    process.kill(-this.#client, "SIGINT");
  }

  /** The record of each host that this client has started: its lines, in order. */
  records(): RecordLine[][] {
    const folder = join(this.#home, ".local", "state", "ringfence", "audit");
    // A client starts its host when it likes.
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as RecordLine),
    );
  }

  /** Waits until nothing runs any more that the client or its hosts have started. */
  async nothingIsLeft(): Promise<void> {
    let left: readonly RunningProcess[] = [];
    const look = (): boolean => (left = processesOf(this.place.path)).length === 0;
    await until("the end of all that the client has started", look).catch((thrown: unknown) => {
      throw new Error(`${String(thrown)}: ${JSON.stringify(left)}`, { cause: thrown });
    });
  }

  /** For messages: what the client printed last. */
  shown(): string {
    return ["out", "out.err"]
      .map((name) => `${name}: ${readFileSync(join(this.place.path, name), "utf8").slice(-2000)}`)
      .join("; ");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    killAll(processesOf(this.place.path).map(({ pid }) => pid));
    await this.#stage?.exited;
    this.place[Symbol.dispose]();
  }

  async #start(client: DrivenClient, setUp: (at: SetUpPlace) => Promise<Started>): Promise<void> {
    const { root, path } = this.place;
    this.#writeProject();
    const setup = await setUp({ place: this.place, home: this.#home });
    for (const [name, content] of Object.entries(client.provider.files ?? {})) {
      const file = join(this.#home, name);
      const said = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
      writeInto(this.#home, name, JSON.stringify({ ...said, ...content }));
    }
    const part: Part = {
      script: this.#steps.map((step, index) => this.#turnOf(client, step, index)),
      command: [
        ...npmClient(client.name).command,
        ...setup.args.map((word) => word.replace("PROMPT", "Look after the report.")),
        ...(client.provider.args ?? []),
      ],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.#home,
        ...setup.env,
        ...client.provider.env,
      },
      cwd: root,
      output: join(path, "out"),
    };
    writeInto(path, "out", "");
    writeInto(path, "out.err", "");
    writeInto(path, "part.json", JSON.stringify(part));
    this.#stage = Bun.spawn(inOwnNetwork([process.execPath, STAGE, join(path, "part.json")]), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    void this.#read(this.#stage);
  }

  #writeProject(): void {
    const { root } = this.place;
    mkdirSync(this.#home);
    for (const [name, content] of Object.entries(PROJECT_FILES)) writeInto(root, name, content);
    writeInto(root, ENDLESS.file, "");
    truncateSync(join(root, ENDLESS.file), ENDLESS.bytes);
    // Agents take the repository for the workspace, and everything where there is none.
    const git = Bun.spawnSync(["git", "init", "--quiet", root], { env: { HOME: this.#home } });
    if (!git.success) throw new Error(`Cannot make a repository: ${git.stderr.toString()}`);
  }

  #turnOf(client: DrivenClient, step: Step, index: number): Turn {
    const turn = { name: step.isOwn ? step.tool : client.nameOf(step.tool), args: step.args };
    return step.isApproved || step.isHeld ? { ...turn, holds: this.#goFile(index) } : turn;
  }

  #goFile(index: number): string {
    return join(this.place.path, `go-on-${index}`);
  }

  async #read(stage: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<void> {
    try {
      const errors = stage.stderr.text();
      const splitter = new LineSplitter();
      for await (const chunk of stage.stdout)
        for (const line of splitter.push(chunk)) await this.#take(JSON.parse(line) as Told);
      this.#ended.reject(new Error(`the stage ended too early: ${await errors}`));
    } catch (thrown) {
      this.#ended.reject(thrown);
    }
  }

  async #take(told: Told): Promise<void> {
    if (told.type === "started") this.#client = told.pid;
    if (told.type === "ended") this.#ended.resolve(told.code);
    if (told.type !== "asked") return;
    this.asked.push(told.asked);
    const index = told.asked.results.length - 1;
    if (this.#steps[index]?.isApproved && !this.approvals.has(index)) {
      this.approvals.set(index, await this.#approve(told.asked.results[index] ?? ""));
      writeFileSync(this.#goFile(index), "");
    }
  }

  /** As a person does in a second terminal, with the words of the answer. */
  async #approve(answer: string): Promise<CliResult> {
    const [, proposal = "NONE"] = /Proposal (p_[\w-]+@[0-9a-f]+)/.exec(answer) ?? [];
    const state = { HOME: this.#home, XDG_STATE_HOME: join(this.#home, ".local", "state") };
    return await runRingfence(this.place, ["proposals", "apply", proposal], { env: state });
  }
}

/** Where the files of a session are. */
export interface SetUpPlace {
  readonly place: Place;
  readonly home: string;
}

/** How a client is started, with `PROMPT` for the task. */
export type Started = Pick<Setup, "env" | "args">;

async function setUpBy({ section, init, args = [] }: DrivenClient, { place, home }: SetUpPlace): Promise<Started> {
  if (init) return { args, env: await setUpByInit(init, { place, home }) };
  const setup = readSetup(section);
  writeSetup(setup, { binary: await binaryPath(), root: place.root, home });
  return setup;
}

/** @returns no variables: init writes all that there is to say into files */
export async function setUpByInit(words: readonly string[], { place, home }: SetUpPlace): Promise<Started["env"]> {
  const env = { HOME: home, XDG_STATE_HOME: join(home, ".local", "state") };
  const args = ["init", ...words, "--yes", "--no-check", "--root", place.root];
  const { code, stderr } = await runRingfence(place, args, { env });
  if (code !== 0) throw new Error(`Cannot set up the client: ${stderr}`);
  return {};
}

const STAGE = join(import.meta.dir, "stage.ts");

function writeInto(folder: string, name: string, content: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that were told of this place by an argument or a variable. */
function processesOf(place: string): RunningProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: readProc(name, "cmdline") }))
    .filter(({ pid, command }) => `${command}\n${readProc(String(pid), "environ")}`.includes(place));
}

/** Empty where the process has just ended, or belongs to somebody else. */
function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
