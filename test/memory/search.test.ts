/**
 * Searching the memory through the front door: what is found by words, what is data and no syntax, and that the index can be
 * lost, broken or old without a difference in any answer.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestHost } from "../host/in-memory-host.ts";
import { CORPUS } from "./corpus.ts";
import { layNotes, notesOf, openMemoryHost, search } from "./memory-host.ts";

const indexFiles = (host: TestHost): string[] => {
  const folder = join(host.stateDir, "memory-index");
  return readdirSync(folder).map((name) => join(folder, name, "index.sqlite"));
};

describe("the corpus", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openMemoryHost();
    layNotes(host, Object.fromEntries(CORPUS.map(({ namespace, note }) => [namespace, `${note}\n`])));
  });
  afterAll(async () => await host[Symbol.asyncDispose]());

  test("the corpus of sixty notes is found by words in the first three places, each of them", async () => {
    const missed: string[] = [];
    for (const { namespace, keywords } of CORPUS)
      if (!(await search(host, keywords, { limit: 3 })).places.includes(namespace)) missed.push(namespace);
    expect(missed).toEqual([]);
  });

  test("a search by words alone says that meaning did not look, and why", async () => {
    expect((await search(host, "staging")).all).toContain("By meaning: off, no embedder is configured");
    expect((await search(host, "staging", { keyword_only: true })).all).toContain("By meaning: not asked for");
  });

  test("a search in a namespace finds what is in it and below it, and nothing else", async () => {
    const { places } = await search(host, "the is a of keys release Lars", { namespace: "people", limit: 50 });
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((place) => !place.startsWith("people/"))).toEqual([]);
    expect((await search(host, "keys", { namespace: "people/lars" })).places).toEqual(["people/lars"]);
    expect((await search(host, "keys", { namespace: "peopl" })).places).toEqual([]);
  });

  const syntax: readonly string[] = [
    `staging" bar (`,
    `staging OR`,
    `NEAR(staging release)`,
    `staging*`,
    `text:staging`,
    `- staging`,
    `staging AND NOT release`,
    `"staging`,
    `staging'; DROP TABLE docs; --`,
    `{staging release}`,
    `^staging`,
    `staging \0 release`,
    `\u202estaging`,
    `STAGING`,
    `stáging`,
    `sta\u0301ging`,
  ];
  test.each(syntax)("a question is data, whatever the engine would make of it: %j", async (query) => {
    expect((await search(host, query, { limit: 1 })).places).toEqual(["ops/deploy"]);
  });

  test.each([`"`, "()", "*", "\0", "\u202e", "😀", "   ", "-", "the", "^", "''", `"" OR ""`])(
    "a question without a word is answered, and finds nothing or little: %j",
    async (query) => {
      const { code, places } = await search(host, query);
      expect(code).toBeUndefined();
      expect(places.length).toBeLessThanOrEqual(10);
    },
  );

  test("a question that is too long, and one that is empty, is refused", async () => {
    expect((await search(host, "x".repeat(100_000))).code).toBe("invalid_input");
    expect((await search(host, "")).code).toBe("invalid_input");
  });
});

describe("words", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await openMemoryHost();
    layNotes(host, {
      "cjk/chinese": "我们使用数据库存储用户信息。",
      "cjk/japanese": "会議は毎週月曜日の午前に行います。",
      "cjk/korean": "배포는 매주 화요일에 합니다.",
      "code/name": "Call parseConfigFile before the server starts.",
      "code/part": "The misconfiguration of the loadbalancer was found late.",
      "code/accent": "Le café est préparé à huit heures.",
      "code/upper": "THE SHOUTED NOTE ABOUT KUBERNETES",
      "huge/word": "w".repeat(1_000_000),
      "long/entry": `${"filler line about nothing\n".repeat(300)}\nthe needle stands here\n\n${"more filler\n".repeat(300)}`,
    });
  });
  afterAll(async () => await host[Symbol.asyncDispose]());

  test.each([
    ["数据", "cjk/chinese"],
    ["数据库", "cjk/chinese"],
    ["月曜日", "cjk/japanese"],
    ["화요일", "cjk/korean"],
    ["曜", "cjk/japanese"],
    ["す", "cjk/japanese"],
    ["config file", "code/name"],
    ["parseConfigFile", "code/name"],
    ["configuration", "code/part"],
    ["balancer", "code/part"],
    ["cafe prepare", "code/accent"],
    ["kubernetes", "code/upper"],
    ["needles", "long/entry"],
  ])("the question %j finds %s", async (query, namespace) => {
    expect((await search(host, query, { limit: 3 })).places).toContain(namespace);
  });

  test("a hit shows what is around the word, with its line in the note", async () => {
    const { text } = await search(host, "needle", { limit: 1 });
    expect(text).toMatch(/^long\/entry:302 /);
    expect(text).toContain("the needle stands here");
  });

  test("one word of a megabyte costs no more than any other note", async () => {
    const { code, text } = await search(host, "w".repeat(1500));
    expect(code).toBeUndefined();
    expect(text.length).toBeLessThan(50_000);
  });
});

/** As long as one of RSA with 2048 bits, and none. */
function longKey(): { readonly text: string; readonly lines: readonly string[] } {
  const body = Array.from({ length: 26 }, (_, at) => sha512Base64(`line ${at}`).slice(0, 64));
  const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} RSA PRIVATE KEY-----`);
  return { text: [begin, ...body, end].join("\n"), lines: body };
}

function sha512Base64(text: string): string {
  return createHash("sha512").update(text).digest("base64");
}

describe("the index", () => {
  test("the index is made again when it is deleted, broken, cut or of another form, and answers are the same", async () => {
    await using host = await openMemoryHost();
    layNotes(host, Object.fromEntries(CORPUS.map(({ namespace, note }) => [namespace, `${note}\n`])));
    const questions = CORPUS.slice(0, 5).map(({ paraphrase }) => paraphrase);
    const answersOf = async (): Promise<string[]> =>
      await Promise.all(questions.map(async (query) => (await search(host, query)).all));
    const before = await answersOf();
    const [file = "none"] = indexFiles(host);
    const harms: readonly (() => void)[] = [
      () => rmSync(join(file, ".."), { recursive: true }),
      () => rmSync(file),
      () => writeFileSync(file, "this is no database, and never was one"),
      () => writeFileSync(file, readFileSync(file).fill(0x41, 4096)),
      () => writeFileSync(file, ""),
    ];
    for (const [at, harm] of harms.entries()) {
      harm();
      expect([at, await answersOf()]).toEqual([at, before]);
      // Another host has not had it open before.
      harm();
      await using other = await openMemoryHost({ top: host.top });
      expect([at, (await search(other, questions[0] ?? "")).all]).toEqual([at, before[0] ?? "none"]);
      other.log();
    }
    host.log();
  });

  test("the index follows what is written, edited by a person, renamed and deleted, before the next answer", async () => {
    await using host = await openMemoryHost();
    await host.call("memory_write", { namespace: "a", content: "apples are red" });
    expect((await search(host, "apples")).places).toEqual(["a"]);
    await host.call("memory_write", { namespace: "a", content: "pears are green" });
    expect((await search(host, "pears")).text).toContain("pears are green");
    writeFileSync(join(notesOf(host), "a.md"), "plums are blue\n");
    expect((await search(host, "apples")).places).toEqual([]);
    expect((await search(host, "plums")).places).toEqual(["a"]);
    // As long as before, at the time of before.
    const { atime, mtime } = statSync(join(notesOf(host), "a.md"));
    writeFileSync(join(notesOf(host), "a.md"), "grape is black\n");
    utimesSync(join(notesOf(host), "a.md"), atime, mtime);
    expect((await search(host, "grape")).places).toEqual(["a"]);
    rmSync(join(notesOf(host), "a.md"));
    expect((await search(host, "grape")).places).toEqual([]);
  });

  test("the index is shared by hosts on one state folder, and none of them gets in the way of another", async () => {
    await using host = await openMemoryHost();
    await using other = await openMemoryHost({ top: host.top });
    const writes = Array.from({ length: 20 }, async (_, at) => {
      const by = at % 2 === 0 ? host : other;
      await by.call("memory_write", { namespace: `shared/${at % 4}`, content: `entry number${at} here` });
      return await search(at % 3 === 0 ? host : other, `number${at}`, { limit: 1 });
    });
    for (const [at, found] of (await Promise.all(writes)).entries()) {
      expect(found.code).toBeUndefined();
      expect(found.text).toContain(`entry number${at} here`);
    }
  });

  test("the index is not there before the first search", async () => {
    await using host = await openMemoryHost();
    await host.call("memory_write", { namespace: "a", content: "x" });
    expect(readdirSync(host.stateDir)).not.toContain("memory-index");
    await search(host, "x");
    expect(readdirSync(host.stateDir)).toContain("memory-index");
  });
});

describe("documents of the roots", () => {
  test("documents of the roots are found by the patterns of the configuration, and ignored, denied and secret ones are not", async () => {
    await using host = await openMemoryHost({
      memory: { sources: ["docs/**/*.md", "*.env"] },
      files: {
        "docs/guide.md": "# Guide\n\nThe flux capacitor needs 1.21 gigawatts.\n",
        "docs/deep/more.md": "Another flux note.\n",
        "docs/ignored.md": "flux in an ignored file\n",
        "docs/denied.md": "flux in a denied file\n",
        "docs/notes.txt": "flux in a text file\n",
        "other/flux.md": "flux elsewhere\n",
        ".env": "FLUX_SECRET=1\n",
        ".gitignore": "ignored.md\n",
        ".git/HEAD": "ref: refs/heads/main\n",
      },
      config: { deny: ["docs/denied.md"] },
    });
    const { places, text } = await search(host, "flux", { limit: 50 });
    expect(places.toSorted()).toEqual([join(host.root, "docs/deep/more.md"), join(host.root, "docs/guide.md")]);
    expect(text).toContain("# Guide");
    writeFileSync(join(host.root, "docs/guide.md"), "The capacitor is gone.\n");
    expect((await search(host, "flux")).places).toEqual([join(host.root, "docs/deep/more.md")]);
  });

  test("documents with a private key that is longer than a piece give no line of it, and lines below it keep their numbers", async () => {
    const key = longKey();
    await using host = await openMemoryHost({
      memory: { sources: ["docs/**/*.md"] },
      files: { "docs/server.md": `# Server\n${key.text}\n\n## Flux\n\nIt is behind the key.\n` },
    });
    layNotes(host, { key: `${key.text}\nThe lamp is behind the key.\n` });
    for (const query of [...key.lines, "server flux lamp key"]) {
      const { all } = await search(host, query, { limit: 50 });
      expect(key.lines.filter((line) => all.includes(line.slice(0, 12)))).toEqual([]);
    }
    expect((await search(host, "flux", { limit: 1 })).text).toStartWith(`${join(host.root, "docs/server.md")}:31 `);
    expect((await search(host, "lamp", { limit: 1 })).text).toStartWith("key:");
  });

  test("documents with secrets are indexed apart by a host that may show them", async () => {
    const key = longKey();
    const files = { "docs/server.md": `${key.text}\n` };
    const memory = { sources: ["docs/**/*.md"] };
    await using open = await openMemoryHost({ memory, files, config: { secrets: { redact: false } } });
    // What was just written is read once more by whoever comes next.
    utimesSync(join(open.root, "docs/server.md"), 1e9, 1e9);
    expect((await search(open, key.lines[20] ?? "")).all).toContain(key.lines[20] ?? "none");
    await using host = await openMemoryHost({ memory, top: open.top });
    for (const line of key.lines) expect((await search(host, line)).all).not.toContain(line.slice(0, 12));
  });
});

describe("rules", () => {
  test("rules close notes to the search as to the other tools, whatever the index knows", async () => {
    const rules = [{ deny: "memory_*(person/**)" }];
    await using host = await openMemoryHost({ config: { rules } });
    layNotes(host, { "person/anna": "Anna likes quiet mornings.", "project/anna": "Anna leads the project." });
    const { places, text } = await search(host, "Anna", { limit: 50 });
    expect(places).toEqual(["project/anna"]);
    expect(text).not.toContain("quiet");
    expect((await search(host, "Anna")).all).toContain("[1 entry searched");
    for (const [tool, args] of [
      ["memory_read", { namespace: "person/anna" }],
      ["memory_write", { namespace: "person/anna", content: "x" }],
      ["memory_delete", { namespace: "person/anna" }],
      ["memory_search", { query: "Anna", namespace: "person/anna" }],
    ] as const)
      expect((await host.call(tool, args)).failure?.code).toBe("denied");
    expect((await host.call("memory_list", {})).text).not.toContain("person");
    // Another host with other rules uses the same index, and takes nothing out of it.
    await using open = await openMemoryHost({ top: host.top });
    expect((await search(open, "Anna", { limit: 50 })).places.toSorted()).toEqual(["person/anna", "project/anna"]);
    expect((await search(host, "Anna", { limit: 50 })).places).toEqual(["project/anna"]);
  });

  test("a rule allows a namespace to be written without being asked about, and asks about the others", async () => {
    const rules = [{ allow: "memory_write(scratch/**)" }];
    await using host = await openMemoryHost({ config: { mode: "default", rules } });
    const free = await host.call("memory_write", { namespace: "scratch/today", content: "x" });
    expect(free.proposal).toBeUndefined();
    expect(free.text).toStartWith("Applied");
    const asked = await host.call("memory_write", { namespace: "project/plan", content: "poison" });
    expect(asked.text).toStartWith("Proposed");
    expect(asked.text).toContain("+poison");
    expect((await search(host, "poison")).places).toEqual([]);
    await host.apply(asked);
    expect((await search(host, "poison")).places).toEqual(["project/plan"]);
  });
});
