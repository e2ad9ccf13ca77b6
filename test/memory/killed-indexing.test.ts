/**
 * A host that is killed while it makes the index of the memory and the file of its vectors: the next one answers as if it had
 * not been there.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { canInject, doomed } from "../crash/inject.ts";
import { layFiles } from "../host/file-tree.ts";
import { until } from "../waits/until.ts";
import { layWordModel } from "./word-model.ts";

const NOTES = 40;
/** So many of the calls are tried, from the first to the last, and each of those that write vectors. */
const POINTS = 14;
const QUESTIONS: readonly string[] = ["w3", "w17 w18", "w39"];

let place: Place;
beforeEach(() => {
  place = new Place();
  const packs = { memory: { embedder: { file: layWordModel(place.path) } } };
  writeFileSync(join(place.path, "config.json"), JSON.stringify({ packs }));
  layFiles(
    join(place.stateDir, "memory"),
    Object.fromEntries(Array.from({ length: NOTES }, (_, at) => [`n${at}.md`, `w${at} w${at * 7}\n`])),
  );
});
afterEach(() => place[Symbol.dispose]());

/** @param below the program, with its options, that it runs under */
async function start(below: readonly string[] = []): Promise<ServeProcess> {
  const [binary, ...command] = [...below, await binaryPath()];
  const { root, stateDir } = place;
  const serve = ["serve", "--root", root, "--state-dir", stateDir, "--fence=off"];
  const args = [...command, ...serve, "--config", join(place.path, "config.json")];
  return await ServeProcess.start(place, { binary: Bun.which(binary) ?? binary, command: args });
}

let lastId = 0;

async function answerTo(host: ServeProcess, query: string): Promise<string | undefined> {
  const id = ++lastId;
  host.request(id, "tools/call", { name: "memory_search", arguments: { query } });
  const answer = await host.answerOrEnd(id);
  return answer?.result?.content?.map(({ text = "" }) => text).join("\n");
}

/** Waits until every entry has its vector. */
async function answersOf(host: ServeProcess): Promise<(string | undefined)[]> {
  await until("all vectors", async () => (await answerTo(host, "w1"))?.includes("By meaning: on]") ?? false);
  const answers: (string | undefined)[] = [];
  for (const query of QUESTIONS) answers.push(await answerTo(host, query));
  return answers;
}

async function endOf(host: ServeProcess): Promise<void> {
  // Not by killing strace: what it traces would go on without it.
  if (host.child.exitCode === null && host.child.signalCode === null) await host.endInput();
}

const removeIndex = (): void => rmSync(join(place.stateDir, "memory-index"), { recursive: true, force: true });

describe.skipIf(!canInject())(`a host that is killed while it indexes${component("strace").note}`, () => {
  test("an index whose host was killed before any call with which it writes gives the answers of a new one", async () => {
    const log = join(place.path, "strace.log");
    const traced = ["strace", "-f", "-y", "-qq", "-o", log, "-e", "trace=pwrite64"];
    let expected: readonly (string | undefined)[];
    {
      await using host = await start(traced);
      expected = await answersOf(host);
      await endOf(host);
    }
    expect(expected.join("\n")).toContain("(meaning)");
    const files = filesOfIndexer(readFileSync(log, "utf8"));
    const intoVectors = files.flatMap((file, at) => (file.includes("/vectors-") ? [at + 1] : []));
    expect(intoVectors.length).toBeGreaterThan(1);
    const step = (files.length - 1) / (POINTS - 1);
    const others = Array.from({ length: POINTS }, (_, point) => Math.round(1 + point * step));
    let killed = 0; // With a part of an index on the disk.
    for (const nth of new Set([...others, ...intoVectors])) {
      removeIndex();
      {
        await using host = await start(["strace", ...doomed({ call: "pwrite64", nth })]);
        const isKilled = (await answerTo(host, "w1")) === undefined;
        await endOf(host);
        if (isKilled && existsSync(join(place.stateDir, "memory-index"))) killed++;
      }
      await using next = await start();
      expect([nth, await answersOf(next)]).toEqual([nth, [...expected]]);
    }
    expect(killed).toBeGreaterThan(POINTS / 2);
  });
});

/** Which file each of its calls wrote to, of the thread that made most of them. */
function filesOfIndexer(log: string): string[] {
  const files = new Map<string, string[]>();
  for (const [, thread = "", file = ""] of log.matchAll(/^(\d+) +pwrite64\(\d+<([^>]*)>/gm))
    files.set(thread, [...(files.get(thread) ?? []), file]);
  return [...files.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
}
