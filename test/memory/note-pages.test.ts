/**
 * Pages of a note: every call that `memory_read` names as the next one gives what was missing, and it names one only where
 * something is missing.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestHost } from "../host/in-memory-host.ts";
import { openMemoryHost } from "./memory-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await openMemoryHost();
});
afterAll(async () => await host[Symbol.asyncDispose]());

async function layNote(namespace: string, text: string): Promise<void> {
  await host.call("memory_write", { namespace, content: "x" });
  writeFileSync(join(host.stateDir, "memory", `${namespace}.md`), text);
}

const nextOf = (all: string): object | undefined => {
  const [, json] = /To go on: memory_read (\{.*?\})/.exec(all) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as object);
};

test("memory_read gives the rest of a line that is longer than an answer, as bytes", async () => {
  const content = Array.from({ length: 9000 }, (_, at) => `é${at},`).join("");
  await host.call("memory_write", { namespace: "long", content });
  const first = await host.call("memory_read", { namespace: "long" });
  expect(first.all).toContain("cut for length: line 2");
  expect(nextOf(first.all)).toBeUndefined();
  const [, json = "{}"] = /The rest of line 2 as bytes: memory_read (\{.*?\})/.exec(first.all) ?? [];
  const pages: Buffer[] = [];
  for (let next: object | undefined = JSON.parse(json) as object; next;) {
    const page = await host.call("memory_read", next);
    expect(page.failure).toBeUndefined();
    expect(page.all).toContain("long: bytes ");
    pages.push(Buffer.from(page.text, "base64"));
    next = nextOf(page.all);
  }
  expect(pages.length).toBeGreaterThan(1);
  const shown = first.text.replace(/^.*\n/, "").replace(/ … \[\d+ more bytes\]\n$/, "");
  expect(shown + Buffer.concat(pages).toString()).toBe(`${content}\n`);
});

test("memory_read goes on behind a long line where the note does", async () => {
  await layNote("behind", `${"x".repeat(40_000)}\n${"y".repeat(40_000)}\nend\n`);
  const first = await host.call("memory_read", { namespace: "behind", limit: 1 });
  expect(nextOf(first.all)).toEqual({ namespace: "behind", offset: 2, limit: 1 });
  expect((await host.call("memory_read", { namespace: "behind", offset: 3 })).text).toBe("end\n");
});

test("memory_read refuses a section together with bytes", async () => {
  await layNote("bytes", "# A\ntext\n");
  const both = await host.call("memory_read", { namespace: "bytes", section: "A", encoding: "base64" });
  expect(both.failure).toMatchObject({ code: "invalid_input", hint: expect.stringContaining("leave out section") });
});

test("memory_read names no next call at the end of a section, and one within it while there is more of it", async () => {
  await layNote("parts", "# A\n\none\ntwo\n\n# B\n\nthree\n");
  const whole = await host.call("memory_read", { namespace: "parts", section: "A" });
  expect(whole.text).toBe("# A\n\none\ntwo\n\n");
  expect(nextOf(whole.all)).toBeUndefined();
  expect(nextOf((await host.call("memory_read", { namespace: "parts", section: "B" })).all)).toBeUndefined();
  const some = await host.call("memory_read", { namespace: "parts", section: "A", offset: 2, limit: 2 });
  expect(some.text).toBe("\none\n");
  expect(nextOf(some.all)).toEqual({ namespace: "parts", section: "A", offset: 4, limit: 2 });
  const rest = await host.call("memory_read", nextOf(some.all) ?? {});
  expect(rest.text).toBe("two\n\n");
  expect(nextOf(rest.all)).toBeUndefined();
});

test("memory_read gives a section that is longer than a page in pages of the usual size", async () => {
  await layNote("pages", `# A\n${"a line of the section\n".repeat(5000)}# B\nafter\n`);
  let text = "";
  for (let next: object | undefined = { namespace: "pages", section: "A" }; next;) {
    const page = await host.call("memory_read", next);
    expect(page.text.length).toBeLessThanOrEqual(32 * 1024);
    text += page.text;
    next = nextOf(page.all);
  }
  expect(text).toBe(`# A\n${"a line of the section\n".repeat(5000)}`);
});

test("memory_read refuses a line behind the end of a section or a note, and says how many there are", async () => {
  await layNote("ends", "# A\n\none\n\n# B\n\ntwo\n");
  const behind = await host.call("memory_read", { namespace: "ends", section: "A", offset: 5 });
  expect(behind.failure).toMatchObject({
    code: "invalid_input",
    message: 'Cannot read "ends": line 5 is past the end of the section (it has 4 lines)',
    hint: "Use a smaller offset.",
  });
  const past = await host.call("memory_read", { namespace: "ends", offset: 9 });
  expect(past.failure).toMatchObject({
    message: 'Cannot read "ends": line 9 is past the end (it has 7 lines)',
    hint: "Use a smaller offset.",
  });
});
