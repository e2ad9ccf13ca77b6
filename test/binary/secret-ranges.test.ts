/**
 * A file that holds a secret is judged as a whole: no two ranges of it, of lines or of bytes, and no other encoding of it
 * give in parts what one answer would not give.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type CallResult } from "./serve-process.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("");
const BODY = Array.from({ length: 30 }, (_, index) => `MII${index}`.padEnd(64, "QkFTRTY0"));
const KEY = ["-----BEGIN RSA ", `PRIVATE KEY-----\n${BODY.join("\n")}\n-----END RSA `, "PRIVATE KEY-----"].join("");
const FILLER = "ordinary words of an ordinary line\n".repeat(40);
const VALUE = "k3Jx9QpLm2Zr8TvWb5";
const LARGE = 17 * 1024 * 1024;

async function open(
  files: Readonly<Record<string, string | Buffer>>,
  ...flags: readonly string[]
): Promise<AsyncDisposable & { ask: Ask }> {
  const place = new Place();
  for (const [path, content] of Object.entries(files)) writeFileSync(join(place.root, path), content);
  const host = await ServeProcess.start(place, { args: flags });
  let asked = 0;
  return {
    async ask(tool, args) {
      const id = ++asked;
      host.call(id, tool, args);
      return (await host.answer(id)).result;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

type Ask = (tool: string, args: object) => Promise<CallResult | undefined>;

test("no range of bytes beside a token is given, and others of the file's own kind are", async () => {
  const plain = "x".repeat(200);
  await using host = await open({
    "a.txt": `token: ${TOKEN}\n${FILLER}`,
    "plain.txt": plain,
    "wide.txt": Buffer.from(`token: ${TOKEN}\n`, "utf16le"),
    "large.txt": Buffer.concat([Buffer.alloc(LARGE, "line\n"), Buffer.from(`\n${TOKEN}\n`)]),
  });
  for (const [path, offset, limit] of [
    ["a.txt", 1, 14],
    ["a.txt", 14, 20],
    ["a.txt", 34, 20],
    ["a.txt", -1400, 10],
    ["wide.txt", 1, 24],
    ["wide.txt", 25, 40],
    ["large.txt", LARGE, 12],
    ["large.txt", LARGE + 12, 60],
  ] as const) {
    const answer = await host.ask("read_file", { path, encoding: "base64", offset, limit });
    expect([path, offset, codeOf(answer)]).toEqual([path, offset, "denied"]);
  }
  const given = await host.ask("read_file", { path: "plain.txt", encoding: "base64", offset: 5, limit: 10 });
  expect(given?.content?.at(-1)?.text).toBe(Buffer.from("xxxxxxxxxx").toString("base64"));
  const far = await host.ask("read_file", { path: "large.txt", encoding: "base64", offset: 1, limit: 5 });
  expect(far?.content?.at(-1)?.text).toBe(Buffer.from("line\n").toString("base64"));
});

test("no range of lines gives the body of a private key", async () => {
  const text = `${FILLER}${KEY}\n${FILLER}`;
  await using host = await open({
    "key.txt": text,
    "large.txt": Buffer.concat([Buffer.alloc(LARGE - (LARGE % 5), "line\n"), Buffer.from(text)]),
  });
  const first = 41;
  const last = first + BODY.length + 1;
  for (const offset of [first + 1, first + 2, first + 15, last - 1])
    for (const more of [{ limit: 3 }, {}, { limit: 2, line_numbers: true }]) {
      const answer = JSON.stringify(await host.ask("read_file", { path: "key.txt", offset, ...more }));
      expect([offset, more, BODY.some((line) => answer.includes(line.slice(0, 20)))]).toEqual([offset, more, false]);
      expect([offset, more, answer]).toEqual([offset, more, expect.stringMatching(/\[secret:[0-9a-f]{6}\]/)]);
    }
  const many = JSON.stringify(
    await host.ask("read_files", { files: [{ path: "key.txt", offset: first + 3, limit: 4 }] }),
  );
  expect(BODY.some((line) => many.includes(line.slice(0, 20)))).toBe(false);
  const large = JSON.stringify(await host.ask("read_file", { path: "large.txt", offset: -60, limit: 5 }));
  expect(BODY.some((line) => large.includes(line.slice(0, 20)))).toBe(false);
  // What stands behind the key has its own number and its own words.
  const behind = await host.ask("read_file", { path: "key.txt", offset: last, limit: 2, line_numbers: true });
  expect(behind?.content?.at(-1)?.text).toContain(`${last + 1}\tordinary words`);
});

test("no search shows lines out of the body of a private key, as matches, parts of matches or lines around them", async () => {
  const json = JSON.stringify({ private_key: KEY, client_email: "a@example.com", filler: "w ".repeat(600) });
  // Enough that parts of the tree go to another worker.
  const many = Array.from({ length: 900 }, (_, index) => [`m${index}.txt`, "nothing\n"] as const);
  const indented = KEY.replaceAll("\n", "\n    ");
  await using host = await open({
    "key.txt": `${FILLER}${KEY}\n${FILLER}`,
    "wide.txt": Buffer.from(`\uFEFF${FILLER}${KEY}\n${FILLER}`, "utf16le"),
    "large.txt": Buffer.concat([Buffer.alloc(LARGE - (LARGE % 5), "line\n"), Buffer.from(`${indented}\n${FILLER}`)]),
    "account.json": json,
    ...(Object.fromEntries(many) as Record<string, string>),
    "z.txt": `${FILLER}${KEY}\n`,
  });
  const searches: readonly object[] = [
    { pattern: "^ *[A-Za-z0-9+/=]{20,64}$" },
    { pattern: "^ *MII7", context: 2 },
    { pattern: "MII[0-9]+QkFT", only_matching: true },
    { pattern: "MII3.*\\n.*MII4", multiline: true },
    { pattern: "(?<=I)I1[0-9]" },
    { pattern: "words", invert: true },
    { pattern: "^ordinary", before: 9 },
    { pattern: "MII29", after: 3 },
    { pattern: "client_email" },
    // What is shown of the long line begins in the middle of the BEGIN mark.
    { pattern: "kFTRTY0QkFTRTY0QkFT.{2}MII4" },
  ];
  for (const search of searches) {
    const answer = JSON.stringify(await host.ask("grep", { ...search, limit: 500 }));
    expect([
      search,
      BODY.find((line) => answer.includes(line.slice(0, 8)) || answer.includes(line.slice(-20))),
    ]).toEqual([search, undefined]);
    expect([search, answer]).toEqual([search, expect.stringContaining("[secret:")]);
  }
});

test("a search in a process of its own shows no line of a private key", async () => {
  await using host = await open({ "key.txt": `${FILLER}${KEY}\n` }, "--fence=off");
  const answer = JSON.stringify(await host.ask("grep", { pattern: "(?<=MI)I1[0-9]" }));
  expect(BODY.find((line) => answer.includes(line.slice(0, 8)))).toBeUndefined();
  expect(answer.match(/\[secret:000000\]/g)?.length).toBe(10);
});

test("a search shows what looks like a line of a key, and is in none", async () => {
  const other = "QkFTRTY0".repeat(8);
  await using host = await open({ "a.txt": `${other}\n${KEY}\n${other}1\n`, "b.txt": `${other}2\n` });
  const answer = await host.ask("grep", { pattern: "^[A-Za-z0-9+/=]{64,}$", exclude: ["none"] });
  const text = answer?.content?.at(-1)?.text ?? "";
  for (const line of [`a.txt:1:${other}\n`, `a.txt:34:${other}1\n`, `b.txt:1:${other}2`]) expect(text).toContain(line);
  expect(text.match(/\[secret:000000\]/g)?.length).toBe(BODY.length);
});

test("a range shows no value whose name stands in the line before, nor half of a token where a long line is cut", async () => {
  const long = `${"w ".repeat(8 * 1024 - 12)}${TOKEN} ${"w ".repeat(8 * 1024)}\n`;
  await using host = await open({
    "value.txt": `a\npassword =\n  "${VALUE}"\nb\n`,
    "long.txt": `${FILLER}${long}`,
    "large.txt": Buffer.concat([Buffer.alloc(LARGE - (LARGE % 5), "line\n"), Buffer.from(long)]),
    "longest.txt": Buffer.concat([
      Buffer.alloc(LARGE - (LARGE % 5), "line\n"),
      Buffer.from(`${long.trimEnd()} ${"w ".repeat(2_000_000)}\n`),
    ]),
  });
  const value = JSON.stringify(await host.ask("read_file", { path: "value.txt", offset: 3, limit: 1 }));
  expect([value, value.includes(VALUE.slice(0, 8))]).toEqual([value, false]);
  for (const [path, offset] of [
    ["long.txt", 41],
    ["large.txt", -1],
    ["longest.txt", -1],
  ] as const) {
    const answer = JSON.stringify(await host.ask("read_file", { path, offset }));
    expect([path, answer.includes(TOKEN.slice(0, 10))]).toEqual([path, false]);
  }
});

test("no other encoding shows the bytes of a secret", async () => {
  await using host = await open({
    "a.txt": `tk=${TOKEN}\n`,
    "wide.txt": Buffer.from(`\uFEFFtoken: ${TOKEN}\n`, "utf16le"),
  });
  for (const [path, encoding] of [
    ["a.txt", "utf-16le"],
    ["a.txt", "utf-16be"],
    ["wide.txt", "windows-1252"],
    ["wide.txt", "utf-8"],
  ] as const) {
    const code = codeOf(await host.ask("read_file", { path, encoding }));
    expect([path, encoding, code]).toEqual([path, encoding, expect.stringMatching(/^(?:denied|not_text)$/)]);
  }
  const text = JSON.stringify(await host.ask("read_file", { path: "wide.txt", encoding: "utf-16le" }));
  expect(text).toMatch(/token: \[secret:[0-9a-f]{6}\]/);
});

function codeOf(result: CallResult | undefined): string | undefined {
  return result?.["_meta"]?.["dev.ringfence/failure"]?.code;
}
