/**
 * Any string as a path, by itself and through the whole host: always an answer, never a crash, and of failures only
 * those that a caller can understand. What could be written under a string can be read under it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { fc } from "../property.ts";
import { Failure, FAILURE_CODES, limits } from "../../src/base/index.ts";
import { parsePath } from "../../src/scope/parse-path.ts";
import { readTree } from "../host/file-tree.ts";
import { callAnswer, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { anyString } from "./fuzz-paths.ts";
import { clearFolder } from "./path-cases.ts";

const PARSES = 6000;
/** Each asks for a file, a directory and a change of every string, 10 strings at once. */
const BURSTS = 100;

let host: TestHost;
let requests = 0;

beforeAll(() => {
  host = openTestHost({ files: { "a.txt": "alpha\n", "a/b.txt": "bravo\n" }, config: { mode: "bypass" } });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(host.top, { recursive: true, force: true });
});

test("parsing gives a path below a root, or a failure of two kinds", () => {
  const roots = [{ spellings: ["/r/one"] }, { spellings: ["/r/two", "/r/one/in"] }];
  fc.assert(
    fc.property(anyString("/r/one"), (asked) => {
      let parsed: ReturnType<typeof parsePath>;
      try {
        parsed = parsePath(asked, roots, "read");
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Failure);
        const { code, message } = thrown as Failure;
        expect(["invalid_input", "outside_scope"]).toContain(code);
        // What is shown is short, and cannot steer a terminal.
        expect(message.length).toBeLessThan(600);
        expect(message).not.toMatch(/[\0-\x1f\x7f]/);
        return;
      }
      expect(roots[parsed.root]).toBeDefined();
      expect(parsed.rel).not.toMatch(/^\/|\/$|\/\/|\0/);
      expect(parsed.rel.split("/")).not.toContain(".");
      expect(Buffer.byteLength(parsed.rel)).toBeLessThanOrEqual(limits.MAX_PATH_BYTES * 3);
    }),
    { numRuns: PARSES },
  );
});

// The cut after 300 characters may fall between the halves of a pair.
test("a message that quotes a long path is well-formed text", () => {
  for (const before of ["", "x"]) {
    const asked = `/${before}${"\u{1F600}".repeat(200)}`;
    expect(() => parsePath(asked, [], "read")).toThrow(Failure);
    try {
      parsePath(asked, [], "read");
    } catch (thrown) {
      expect((thrown as Failure).message.isWellFormed()).toBe(true);
    }
  }
});

test("every call answers, whatever the string", async () => {
  const outside = JSON.stringify(readTree(host.outside));
  const strings = fc.array(anyString(host.root), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(strings, async (asked) => {
      clearFolder(host.root, ["a.txt", "a"]);
      await Promise.all(asked.map(askAll));
      expect(JSON.stringify(readTree(host.outside))).toBe(outside);
    }),
    { numRuns: BURSTS },
  );
});

/** One after another, so that what was written is there when it is read. */
async function askAll(path: string): Promise<void> {
  await ask("read_file", { path });
  await ask("list_directory", { path });
  const written = await ask("write_file", { path, content: "written\n" });
  // Another string of the same burst may have put a directory there.
  if (written === "ok") expect(["ok", "invalid_input", "not_found"]).toContain(await ask("read_file", { path }));
}

async function ask(tool: string, given: object): Promise<string> {
  const id = ++requests;
  const params = { name: tool, arguments: given };
  host.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
  const answer: Json = await host.answerTo(id);
  const code: string = answer.error?.data?.code ?? callAnswer(answer.result).failure?.code ?? "ok";
  if (code !== "ok") expect(KNOWN).toContain(code);
  return code;
}

const KNOWN: readonly string[] = FAILURE_CODES.filter((code) => code !== "internal");
