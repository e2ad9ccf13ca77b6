/**
 * A client that is killed: the host ends in order. What was under way is stopped, changes are finished or taken back, the
 * record has an end of every call and its last line, and no process is left. The same of a host that is killed itself, as
 * far as it can be: its processes end. Linux, where processes are looked at.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, linkSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../waits/until.ts";
import { descendantsOf, linkOf, lookAt } from "../../src/proc/tree/processes.ts";
import { goneSoon } from "../proc/find-running.ts";
import { binaryPath } from "./build-binary.ts";
import { endsOf, hasStarted, recordOf } from "./record-of.ts";
import { Place, ServeProcess } from "./serve-process.ts";
import { killAll } from "../kill.ts";

const GB = 1024 ** 3;
/** Far more than any machine hashes within the limit of a wait. */
const ENDLESS_BYTES: number = 8 * 1024 * GB;
/** A copy of it may be done before anybody has stopped it. */
const COPIED_BYTES: number = 2 * GB;
const RELAY = join(import.meta.dir, "..", "fixtures", "clients", "relay.ts");
const STREAMS = ["two pipes", "two pipes, of which another program holds the input too", "two sockets"];
const MARK = `7404306.${process.pid}`;

class Client implements AsyncDisposable {
  readonly #place: Place;
  readonly relay: ServeProcess;
  /** The first is the host. */
  readonly #pids: readonly number[];

  private constructor(place: Place, relay: ServeProcess, pids: readonly number[]) {
    this.#place = place;
    this.relay = relay;
    this.#pids = pids;
  }

  /** @param prefix of a program that starts the host in its place */
  static async start(
    place: Place,
    streams: string,
    more: readonly string[] = [],
    prefix: readonly string[] = [],
  ): Promise<Client> {
    const file = join(place.path, "pids");
    const serve = [await binaryPath(), "serve", "--root", place.root, "--state-dir", place.stateDir];
    const flags = ["--mode=bypass", "--baseline=if_known", ...more];
    const command = [RELAY, file, streams, ...prefix, ...serve, ...flags];
    const relay = await ServeProcess.start(place, { binary: process.execPath, command });
    await until("the host", () => existsSync(file));
    return new Client(place, relay, JSON.parse(readFileSync(file, "utf8")) as number[]);
  }

  get host(): number {
    return this.#pids[0] ?? 0;
  }

  /** And waits for the end of the host and of all that it has started. */
  async kill(): Promise<void> {
    const all = seen([this.host, ...descendantsOf(this.host)]);
    this.relay.child.kill("SIGKILL");
    await until("the end of all its processes", () => all.every((one) => hasEnded(one)));
    expect(processesThatName(this.#place.stateDir)).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    // Nothing that a failed test has left stays.
    killAll([...this.#pids].filter((pid) => lookAt(pid)));
  }
}

/** Numbers are used again, moments are not. */
interface Seen {
  readonly pid: number;
  readonly started: number | undefined;
}

function seen(pids: readonly number[]): Seen[] {
  return pids.map((pid) => ({ pid, started: lookAt(pid)?.started }));
}

function hasEnded({ pid, started }: Seen): boolean {
  const now = lookAt(pid);
  return now === undefined || now.started !== started || now.state === "Z";
}

function countBelow(pid: number, name: string): number {
  return descendantsOf(pid).filter((one) => lookAt(one)?.name === name).length;
}

/** A process of its own has one of the files open. */
function isSearched({ root }: Place, host: number): boolean {
  return descendantsOf(host).some((pid) => openFilesOf(pid).some((path) => path.startsWith(`${root}/f`)));
}

function openFilesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`) ?? "");
  } catch {
    return [];
  }
}

function processesThatName(text: string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return line.includes(text) ? [line.replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}

function plantFile(place: Place, name: string, bytes: number): void {
  writeFileSync(join(place.root, name), "");
  truncateSync(join(place.root, name), bytes);
}

/** Terabytes to search out of one megabyte: one file under many names. */
function plantLongSearch(place: Place): void {
  const file = join(place.root, "f0.txt");
  writeFileSync(file, "the quick brown fox jumps over the lazy dog 0123456789\n".repeat(20_000));
  for (let n = 1; n < 30_000; n++) linkSync(file, join(place.root, `f${n}.txt`));
}

function shell(text: string): object {
  return { description: "A test.", program: "/bin/sh", args: ["-c", text], changes: false };
}

/** A command that ends when it is asked to, and one that does not. */
function withCommands(place: Place): string[] {
  const begun = join(place.path, "begun");
  const config = {
    commands: {
      long: shell(`setsid sleep ${MARK} & echo > '${begun}'; exec sleep ${MARK}`),
      deaf: shell(`trap '' TERM; setsid sleep ${MARK} & echo > '${begun}'; while :; do sleep ${MARK}; done`),
    },
  };
  const path = join(place.path, "config.json");
  writeFileSync(path, JSON.stringify(config));
  return ["--config", path];
}

describe.skipIf(process.platform !== "linux")("a client that is killed", () => {
  for (const streams of STREAMS)
    test(`while nothing is under way, with ${streams}: the last line is on record`, async () => {
      using place = new Place();
      writeFileSync(join(place.root, "a.txt"), "a\n");
      await using client = await Client.start(place, streams);
      client.relay.call(1, "stat", { path: "a.txt" });
      await client.relay.answer(1);
      await client.kill();
      expect(endsOf(place)).toEqual(["stat completed"]);
      expect(recordOf(place).at(-1)?.event).toBe("stop");
    });

  for (const streams of STREAMS)
    test(`in a hash, with ${streams}: it has failed, and so has what waited behind it`, async () => {
      using place = new Place();
      plantFile(place, "big.bin", ENDLESS_BYTES);
      await using client = await Client.start(place, streams);
      for (const id of [1, 2, 3]) client.relay.call(id, "hash_file", { path: "big.bin" });
      await until("the hash", () => hasStarted(place, "hash_file"));
      await client.kill();
      expect(endsOf(place)).toEqual(Array(3).fill("hash_file failed cancelled"));
      expect(recordOf(place).at(-1)).toMatchObject({ event: "stop", why: "nobody reads its output" });
    });

  test("in a search that is a process of its own: it has failed", async () => {
    using place = new Place();
    plantLongSearch(place);
    await using client = await Client.start(place, "two pipes", ["--fence=off"]);
    client.relay.call(1, "grep", { pattern: "(?<=q)u[a-z]+k .*[xyz]{3}$" });
    await until("the search", () => isSearched(place, client.host));
    await client.kill();
    expect(endsOf(place)).toEqual(["grep failed cancelled"]);
    expect(recordOf(place).at(-1)?.event).toBe("stop");
  });

  for (const name of ["long", "deaf"])
    test(`in a command (${name}): it has failed, and nothing of it is left`, async () => {
      using place = new Place();
      await using client = await Client.start(place, "two pipes", [
        ...withCommands(place),
        // The file that tells of the beginning lies outside of the roots.
        "--fence=off",
      ]);
      client.relay.call(1, `cmd_${name}`);
      client.relay.call(2, "process_start", { command: name });
      await client.relay.answer(2);
      await until("the command", () => existsSync(join(place.path, "begun")));
      await until("its record", () => recordOf(place).filter(({ event }) => event === "run").length === 2);
      await client.kill();
      await goneSoon(MARK);
      expect(endsOf(place)).toEqual([`cmd_${name} failed cancelled`, "process_start completed"]);
      expect(recordOf(place).at(-1)?.event).toBe("stop");
    });

  test("in a change: it is finished or taken back, and the record says which", async () => {
    using place = new Place();
    plantFile(place, "big.bin", COPIED_BYTES);
    writeFileSync(join(place.root, "a.txt"), "old\n");
    await using client = await Client.start(place, "two pipes", ["--durability=fast"]);
    const operations = [
      { op: "edit_file", path: "a.txt", old_text: "old", new_text: "new" },
      { op: "copy", source: "big.bin", destination: "copy.bin" },
    ];
    client.relay.call(1, "change_files", { operations });
    // What it makes it makes beside the others first.
    await until("the copy", () => readdirSync(place.root).length > 2);
    await client.kill();
    const isDone = readFileSync(join(place.root, "a.txt"), "utf8") === "new\n";
    expect(readdirSync(place.root).sort()).toEqual(["a.txt", "big.bin", ...(isDone ? ["copy.bin"] : [])]);
    if (isDone) expect(statSync(join(place.root, "copy.bin")).size).toBe(COPIED_BYTES);
    else expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("old\n");
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
    expect(endsOf(place)).toEqual([isDone ? "change_files completed" : "change_files failed cancelled"]);
    expect(recordOf(place).at(-1)?.event).toBe("stop");
  });

  test("with an answer that it has not read, over one socket: the last line is on record", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    await using client = await Client.start(place, "one socket with an answer that nobody has read");
    client.relay.call(1, "stat", { path: "a.txt" });
    await until("the end of the call", () => endsOf(place).length === 1);
    await client.kill();
    expect(recordOf(place).at(-1)).toMatchObject({ event: "stop", why: expect.stringContaining("input") });
  });
});

describe.skipIf(process.platform !== "linux")("a host", () => {
  test("a host that was started in the background goes on when its parent has ended", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
    const go = join(place.path, "go");
    const script = `exec 3<&0; "$@" <&3 3<&- & until [ -e '${go}' ]; do sleep 0.01; done`;
    await using client = await Client.start(place, "two pipes", [], ["/bin/sh", "-c", script, "sh"]);
    const { relay } = client;
    relay.call(1, "stat", { path: "a.txt" });
    expect((await relay.answer(1)).result?.["isError"]).toBeUndefined();
    const [parent] = seen([client.host]);
    writeFileSync(go, "");
    await until("the end of its parent", () => parent && hasEnded(parent));
    relay.call(2, "hash_file", { path: "a.txt" });
    expect((await relay.answer(2)).result?.["isError"]).toBeUndefined();
    await relay.close();
    expect(recordOf(place).at(-1)).toMatchObject({ event: "stop", why: "the end of its input" });
  });

  for (const fence of ["auto", "off"])
    test(`a host that is killed takes all its processes with it, with the fence ${fence}`, async () => {
      using place = new Place();
      plantLongSearch(place);
      const args = [...withCommands(place), `--fence=${fence}`, "--mode=bypass"];
      await using host = await ServeProcess.start(place, {
        args,
      });
      host.call(1, "grep", { pattern: "(?<=q)u[a-z]+k .*[xyz]{3}$" });
      host.call(2, "cmd_deaf");
      host.call(3, "process_start", { command: "long" });
      await host.answer(3);
      // Two of each command.
      await until("the commands", () => countBelow(host.child.pid, "sleep") === 4);
      if (fence === "off") await until("the search", () => isSearched(place, host.child.pid));
      const all = seen(descendantsOf(host.child.pid));
      host.child.kill("SIGKILL");
      await until("the end of all its processes", () => all.every((one) => hasEnded(one)));
      await goneSoon(MARK);
      expect(readdirSync(join(place.stateDir, "run"))).toEqual([]);
    });
});
