/** What a rule about `group:fs(PATH)` keeps a path from: every tool that would give its content, whatever it is about. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { makePng } from "../pictures/make-pictures.ts";
import { openMediaHost, type MediaHost } from "./media/media-host.ts";

const WORD = "zanzibar";
const STORE = {
  endpoint: "http://127.0.0.1:9",
  region: "r",
  buckets: ["builds"],
  credentials: { access_key: "PATH", secret_key: "HOME" },
};
const PACKS = { media: {}, memory: { sources: ["docs/**"] }, objects: { stores: { art: STORE } } };

async function openHost(rule: object): Promise<MediaHost> {
  const host = await openMediaHost({}, { packs: PACKS, shell: { enabled: true }, rules: [rule] });
  for (const folder of ["docs/private", "docs/open"]) {
    mkdirSync(join(host.place.root, folder), { recursive: true });
    host.write(`${folder}/a.png`, makePng(4, 4));
    host.write(`${folder}/a.md`, `# Note\n\n${WORD} of ${folder}\n`);
  }
  return host;
}

const callsIn = (folder: string): readonly (readonly [string, object])[] => [
  ["read_file", { path: `${folder}/a.md` }],
  ["image_analyze", { path: `${folder}/a.png` }],
  ["media_send", { path: `${folder}/a.png` }],
  ["media_send", { path: `${folder}/a.md` }],
];
const line = (folder: string): object => ({ command: `cat ${folder}/a.md` });

test.each([
  ["deny", "denied"],
  ["ask", "needs_approval"],
])("a rule that says %s about group:fs(PATH) keeps the path from tools of every group", async (verdict, code) => {
  await using host = await openHost({ [verdict]: "group:fs(docs/private/**)" });
  for (const [name, given] of callsIn("docs/open"))
    expect([name, (await host.call(name, given)).failure]).toEqual([name, undefined]);
  for (const [name, given] of callsIn("docs/private"))
    expect([name, (await host.call(name, given)).failure?.code]).toEqual([name, code]);
  const found = await host.call("memory_search", { query: WORD, limit: 50 });
  expect(found.text).toContain("docs/open/a.md");
  expect(found.text).not.toContain("private");
});

test("what a rule denies to group:fs(PATH) no line of the shell names, and no object is made of it", async () => {
  await using host = await openHost({ deny: "group:fs(docs/private/**)" });
  expect((await host.call("shell", line("docs/open"))).text).toContain(WORD);
  for (const [name, given] of [
    ["shell", line("docs/private")],
    ["object_put", { path: "docs/private/a.md", key: "a" }],
  ] as const)
    expect([name, (await host.call(name, given)).failure?.code]).toEqual([name, "denied"]);
});
