/**
 * Searching by meaning with a real model behind an address, from the compiled binary behind its fence: questions in other words
 * find their notes, what has no vector yet is said and made, and an address that fails costs nothing but that leg.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { embeddingModel, serveEmbeddings, type EmbeddingServer } from "../components/embedding-model.ts";
import { until } from "../waits/until.ts";
import { CORPUS } from "./corpus.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

async function start(memory: object, env: Readonly<Record<string, string>> = {}, more: object = {}) {
  const config = join(place.path, "config.json");
  writeFileSync(config, JSON.stringify({ packs: { memory }, ...more }));
  return await ServeProcess.start(place, { args: ["--config", config], env });
}

function layCorpus(): void {
  for (const { namespace, note } of CORPUS) layNote(namespace, note);
}

function layNote(namespace: string, note: string): void {
  const file = join(place.stateDir, "memory", `${namespace}.md`);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${note}\n`);
}

let lastId = 100;

async function search(host: ServeProcess, query: string, more: object = {}) {
  const id = ++lastId;
  host.request(id, "tools/call", { name: "memory_search", arguments: { query, ...more } });
  const { result } = await host.answer(id);
  const all = (result?.content ?? []).map(({ text = "" }) => text).join("\n");
  const places = [...all.matchAll(/^(\S+):\d+ {2}\((.*?)(?:;.*)?\)$/gm)].map(([, name = "", by = ""]) => ({
    name,
    by,
  }));
  return { all, names: places.map(({ name }) => name), places };
}

async function countFound(host: ServeProcess, kind: "keywords" | "paraphrase", more: object = {}): Promise<number> {
  let found = 0;
  for (const one of CORPUS)
    if ((await search(host, one[kind], { limit: 3, ...more })).names.includes(one.namespace)) found++;
  return found;
}

const model = embeddingModel();
describe.skipIf(model.isMissing)(`a real model${model.note}`, () => {
  test("a real model finds what is asked in other words at least 1.8 times as often as words alone, and no keyword less", async () => {
    layCorpus();
    await using server = await serveEmbeddings();
    await using host = await start({ embedder: { url: server.url, model: "use-lite" } });
    const first = await search(host, "release branch");
    expect(first.all).toContain("By meaning: on]");
    const words = await countFound(host, "paraphrase", { keyword_only: true });
    const both = await countFound(host, "paraphrase");
    const keywords = await countFound(host, "keywords");
    expect({ words, both, keywords, enough: both >= Math.max(1.8 * words, 20) }).toEqual({
      words,
      both,
      keywords: CORPUS.length,
      enough: true,
    });
  });
});

/** Texts with `warm` point one way, all others another one. */
async function crudeVectors(texts: readonly string[]): Promise<number[][]> {
  return await Promise.resolve(texts.map((text) => (/warm|hot|heat/.test(text) ? [1, 0, 0.1] : [0, 1, 0.1])));
}

describe("an embedder", () => {
  test("an embedder that fails, refuses or answers with something else is said, and words are searched all the same", async () => {
    layCorpus();
    const answers = [
      () => new Response("no", { status: 500 }),
      () => new Response("<html>"),
      () => Response.json({ data: [] }),
      () => Response.json({ data: [{ embedding: ["a"] }] }),
      () => Response.json({ data: [{ embedding: [] }] }),
    ];
    let turn = 0;
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answers[turn]?.() ?? new Response("") });
    const url = `http://127.0.0.1:${server.port}/v1/embeddings`;
    await using host = await start({ embedder: { url, model: "m" } });
    for (; turn < answers.length; turn++) {
      const { all, names } = await search(host, "release branch", { limit: 1 });
      expect(all).toContain("By meaning: off, command_failed: Cannot use the embedder");
      expect(names).toEqual(["ops/deploy"]);
    }
    await server.stop(true);
    const gone = await search(host, "release branch", { limit: 1 });
    expect(gone.all).toContain("By meaning: off, ");
    expect(gone.names).toEqual(["ops/deploy"]);
  });

  test("an embedder gets many entries behind the answer, a few before it, and secrets never", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    for (let at = 0; at < 300; at++)
      layNote(`many/n${at}`, at === 7 ? `warm milk and a token ${secret}` : `cold entry ${at}`);
    const keyLine = `${"MIIEvQIBADANBgkq".repeat(4)}\n`;
    layNote("many/key", `-----BEGIN PRIVATE KEY-----\n${keyLine.repeat(40)}-----END PRIVATE KEY-----\n\ncold key`);
    await using server: EmbeddingServer = await serveEmbeddings(crudeVectors);
    await using host = await start({ embedder: { url: server.url, model: "crude" } });
    const first = await search(host, "heat");
    expect(first.all).toContain("on, without 301 entries that have no vector yet");
    await until("all vectors", async () => (await search(host, "heat")).all.includes("By meaning: on]"));
    const found = await search(host, "heat");
    expect(found.places[0]).toEqual({ name: "many/n7", by: "meaning" });
    layNote("many/new", "hot soup");
    expect((await search(host, "heat", { limit: 2 })).names).toContain("many/new");
    expect(server.asked.join("\n")).toContain("warm milk");
    expect(server.asked.join("\n")).not.toContain(secret);
    expect(server.asked.join("\n")).toContain("cold key");
    expect(server.asked.join("\n")).not.toContain("MIIEvQ");
    host.request(90, "tools/call", { name: "memory_search", arguments: { query: `heat ${secret}` } });
    await host.answer(90);
    expect(server.asked.join("\n")).not.toContain(secret);
  });

  test("an embedder never gets what a rule closes to the search, and that is not missing either", async () => {
    layNote("private/plan", "warm plans of the board");
    for (let at = 0; at < 80; at++) layNote(`n${at}`, at === 3 ? "warm milk" : `cold entry ${at}`);
    mkdirSync(join(place.root, "docs", "closed"), { recursive: true });
    writeFileSync(join(place.root, "docs", "open.md"), "warm tea\n");
    writeFileSync(join(place.root, "docs", "closed", "a.md"), "warm figures\n");
    await using server = await serveEmbeddings(crudeVectors);
    const rules = [{ deny: "memory_*(private/**)" }, { deny: "memory_search(docs/closed/**)" }];
    const memory = { sources: ["docs/**"], embedder: { url: server.url, model: "crude" } };
    await using host = await start(memory, {}, { rules });
    expect((await search(host, "heat")).all).toContain("on, without 81 entries that have no vector yet");
    await until("all vectors", async () => (await search(host, "heat")).all.includes("By meaning: on]"));
    const sent = server.asked.join("\n");
    expect(sent).toContain("warm milk");
    expect(sent).toContain("warm tea");
    expect(sent).not.toContain("plans of the board");
    expect(sent).not.toContain("warm figures");
  });

  test.each([
    ["deny", "memory_search(ADDRESS/**)", "denied"],
    ["ask", "memory_search(ADDRESS/**)", "needs_approval"],
    ["deny", "group:web", "denied"],
    ["deny", "group:web(ADDRESS/**)", "denied"],
    ["ask", "group:web(ADDRESS/**)", "needs_approval"],
  ])(
    "a rule with %s %s about the address of an embedder holds before anything is sent, and words need no address",
    async (verdict, rule, code) => {
      layNote("a", "warm milk");
      await using server = await serveEmbeddings(crudeVectors);
      const rules = [{ [verdict]: rule.replace("ADDRESS", new URL(server.url).origin) }];
      await using host = await start({ embedder: { url: server.url, model: "crude" } }, {}, { rules });
      host.call(1, "memory_search", { query: "warm" });
      expect(`${(await host.answer(1)).result?._meta?.["dev.ringfence/failure"]?.code}`).toBe(code);
      expect((await search(host, "warm", { keyword_only: true })).names).toEqual(["a"]);
      expect(server.asked).toEqual([]);
      host.request(2, "tools/list");
      const { description, annotations } =
        (await host.answer(2)).result?.tools?.find(({ name }) => name === "memory_search") ?? {};
      expect(description).toContain(`are sent to ${new URL(server.url).host}`);
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
    },
  );

  test("an embedder at an address makes the search one of the tools that a denied group:web takes away", async () => {
    await using server = await serveEmbeddings(crudeVectors);
    const tools = { deny: ["group:web"] };
    const listed = async (memory: object): Promise<readonly string[]> => {
      await using host = await start(memory, {}, { tools });
      host.request(1, "tools/list");
      return ((await host.answer(1)).result?.tools ?? []).map(({ name }) => name);
    };
    expect(await listed({ embedder: { url: server.url, model: "crude" } })).not.toContain("memory_search");
    expect(await listed({})).toContain("memory_search");
  });

  test("an embedder never gets notes of another project on the same state folder, which has none", async () => {
    for (const folder of ["ours", "theirs"]) {
      mkdirSync(join(place.root, folder));
      writeFileSync(join(place.root, folder, "plan.md"), `The plan is ${folder}.\n`);
    }
    {
      await using without = await start({ folder: "ours" });
      expect((await search(without, "plan")).all).toContain("is ours");
    }
    await using server = await serveEmbeddings(crudeVectors);
    const embedder = { url: server.url, model: "crude" };
    const budgets = { call: { wall_ms: 3000 } };
    await using host = await start({ folder: "theirs", embedder }, {}, { budgets });
    const { all } = await search(host, "plan");
    expect(all).toContain("is theirs");
    expect(all).toContain("By meaning: on]");
    expect(server.asked.join("\n")).toContain("is theirs");
    expect(server.asked.join("\n")).not.toContain("is ours");
  });

  test("an embedder with another model makes all vectors again, and the old ones are not compared with them", async () => {
    for (let at = 0; at < 100; at++) layNote(`n${at}`, at === 3 ? "warm milk" : `cold entry ${at}`);
    await using server = await serveEmbeddings(crudeVectors);
    {
      await using host = await start({ embedder: { url: server.url, model: "one" } });
      await until("all vectors", async () => (await search(host, "heat")).all.includes("By meaning: on]"));
    }
    const before = server.asked.length;
    await using host = await start({ embedder: { url: server.url, model: "two" } });
    expect((await search(host, "heat")).all).toContain("on, without 100 entries");
    await until("all vectors", async () => (await search(host, "heat")).all.includes("By meaning: on]"));
    expect((await search(host, "heat", { limit: 1 })).names).toEqual(["n3"]);
    expect(server.asked.slice(before).filter((body) => body.includes('"model":"one"'))).toEqual([]);
  });

  test("vectors that come back while another host holds the index are made again later, and words are searched", async () => {
    layNote("a", "warm milk");
    // Not so new that it is looked at again.
    utimesSync(join(place.stateDir, "memory", "a.md"), 1e9, 1e9);
    let holder: Database | undefined;
    await using server = await serveEmbeddings(async (texts) => {
      if (!holder && texts.some((text) => text.includes("warm milk"))) {
        const folder = join(place.stateDir, "memory-index");
        holder = new Database(join(folder, readdirSync(folder)[0] ?? "none", "index.sqlite"));
        holder.run("BEGIN IMMEDIATE");
      }
      return await crudeVectors(texts);
    });
    await using host = await start({ embedder: { url: server.url, model: "crude" } });
    const first = await search(host, "milk");
    expect(first.all).toContain("on, without 1 entries that have no vector yet");
    expect(first.places).toEqual([{ name: "a", by: "words" }]);
    holder?.close();
    const { all, names } = await search(host, "heat");
    expect(all).toContain("By meaning: on]");
    expect(names).toEqual(["a"]);
    await host.endInput();
    // A bug would be told there.
    expect(await host.stderr).not.toContain("database is locked");
  });

  test("vectors that come back to an index that was made anew are given to no other entries", async () => {
    layNote("a", "warm milk");
    layNote("b", "cold socks");
    let change: (() => Promise<void>) | undefined;
    await using server = await serveEmbeddings(async (texts) => {
      const now = texts.some((text) => text.includes("warm milk")) ? change : undefined;
      if (now) change = undefined;
      await now?.();
      return await crudeVectors(texts);
    });
    await using host = await start({ embedder: { url: server.url, model: "crude" } });
    change = async () => {
      rmSync(join(place.stateDir, "memory-index"), { recursive: true });
      for (const name of ["a", "b"]) rmSync(join(place.stateDir, "memory", `${name}.md`));
      layNote("c", "cold rain");
      layNote("d", "warm soup");
      expect((await search(host, "soup", { keyword_only: true })).names).toEqual(["d"]);
    };
    await search(host, "heat");
    expect(change).toBeUndefined();
    const { all, names } = await search(host, "heat");
    expect(all).toContain("By meaning: on]");
    expect(names).toEqual(["d"]);
  });

  test("an embedder's key comes from the environment, and stands in no file and no answer", async () => {
    layNote("a", "warm milk");
    let seen = "";
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        seen = request.headers.get("authorization") ?? "";
        const { input } = (await request.json()) as { input: string[] };
        return Response.json({ data: (await crudeVectors(input)).map((embedding) => ({ embedding })) });
      },
    });
    const url = `http://127.0.0.1:${server.port}/v1/embeddings`;
    await using host = await start({ embedder: { url, model: "m", key: "EMBED_KEY" } }, { EMBED_KEY: "s3cr3t-value" });
    const { all } = await search(host, "heat");
    expect(seen).toBe("Bearer s3cr3t-value");
    expect(all).not.toContain("s3cr3t-value");
    await server.stop(true);
  });
});
