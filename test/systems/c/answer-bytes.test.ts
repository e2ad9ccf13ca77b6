/**
 * Clarvis' page: a result is cut to `maxOutputBytes` on a UTF-8 boundary. Here that is `answer_bytes`, and it holds for the
 * whole text with its numbers, heads and escapes, which also says how to go on.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost, type TestHost } from "../../host/in-memory-host.ts";
import { openCommandHost } from "../../proc/command-host.ts";

const LINUX = process.platform === "linux";
const SIZES = [1024, 32 * 1024, 64 * 1024, 128 * 1024];
const LINES = Array.from({ length: 12_000 }, (_, at) => `${at} ${"x".repeat(40)}\n`).join("");
const FILES = {
  "a.txt": LINES,
  "b.txt": LINES,
  "d.txt": LINES.slice(0, 40_000),
  "c.txt": LINES.replaceAll("x", "y"),
  "two.txt": `${"é".repeat(700)}\n`.repeat(500),
  "four.txt": "😀".repeat(400_000),
  ...Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`many/${"n".repeat(90)}-${at}.txt`, LINES])),
};
const LONG_NAMES = Object.keys(FILES).filter((path) => path.startsWith("many/"));

function boundOf(text: string): number {
  expect(text).not.toContain("\ufffd");
  return Buffer.byteLength(text);
}

describe("no text of an answer is longer than answer_bytes, and each says how to go on", () => {
  test.each([
    ["read_file", { path: "a.txt", limit: 12_000 }, /lines shown; continue with offset=\d+ \.\.\.\]$/],
    ["read_file", { path: "two.txt" }, /lines shown; continue with offset=\d+ \.\.\.\]$/],
    ["read_file", { path: "four.txt" }, /line truncated \.\.\.\]$/],
    ["read_files", { paths: ["a.txt", "b.txt"] }, /use read_file for the rest \.\.\.\]|call read_files with fewer/],
    ["read_files", { paths: LONG_NAMES }, /more file\(s\) not shown; call read_files with fewer paths \.\.\.\]$/],
    ["diff", { from: "a.txt", to: "c.txt" }, /; read_file with path=\S+ shows all of it \.\.\.\]$/],
    [
      "grep",
      { pattern: "x", output_mode: "content", path: "a.txt", context: 2 },
      /call again with offset=\d+ for more/,
    ],
    ["replace", { pattern: " x", replacement: "z", path: "d.txt" }, /narrow path or glob|pass dry_run: false to apply/],
  ])("no text of %s is longer than answer_bytes: %#", async (name, args, goOn) => {
    for (const bytes of SIZES) {
      await using host = openTestHost({ files: FILES, config: { dialect: "clarvis", answerBytes: `${bytes}` } });
      const { text, result } = await host.call(name, args);
      expect(result.isError ? text : "").toBe("");
      expect([bytes, boundOf(text) <= bytes, boundOf(text)]).toEqual([bytes, true, boundOf(text)]);
      expect(text).toMatch(goOn);
    }
  });

  test.each([
    ["list_dir", { path: "many" }, "find the others with glob"],
    ["tree", {}, "name a directory in it for the others"],
    ["glob", { pattern: "many/*" }, "narrow the pattern for the others"],
  ])("no text of %s %j is longer than 1 KB", async (name, args, goOn) => {
    await using host = openTestHost({ files: FILES, config: { dialect: "clarvis", answerBytes: "1k" } });
    const { text } = await host.call(name, args);
    expect(boundOf(text)).toBeLessThanOrEqual(1024);
    expect(text).toContain(goOn);
  });
});

test("pages of grep in Clarvis' dialect have every match once, whatever their size", async () => {
  await using host = openTestHost({ files: FILES, config: { dialect: "clarvis", answerBytes: "1k" } });
  const seen: string[] = [];
  for (let offset = 0; seen.length < 40;) {
    const page = { pattern: "x", output_mode: "content", path: "a.txt", context: 2, offset };
    const { text } = await host.call("grep", page);
    const next = Number(/call again with offset=(\d+)/.exec(text)?.[1]);
    expect(next).toBeGreaterThan(offset);
    const places = [...text.matchAll(/^a\.txt:(\d+):/gm)].map(([, line]) => line ?? "");
    expect(places).toHaveLength(next - offset);
    seen.push(...places);
    offset = next;
  }
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => `${at + 1}`));
});

function open(bytes: number): TestHost {
  const config = {
    dialect: "clarvis",
    answerBytes: `${bytes}`,
    shell: { enabled: true, output_mb: 8 },
    mode: "bypass",
  };
  return openCommandHost({ config });
}

describe.skipIf(!LINUX)("JSON of commands", () => {
  test.each([
    ["seq 1 1000000", "stdout"],
    ["seq 1 9000; seq 1 1000000 >&2", "stderr"],
    ["yes '\"' | head -c 100000", "stdout"],
    ["yes $'\\377' | head -c 90000", "stdout"],
    ['seq 1 400 >&2; yes \'""""\'', "stdout"],
  ] as const)(
    "the answer of bash %p is JSON within answer_bytes, and names where all of %s is",
    async (command, stream) => {
      for (const bytes of SIZES) {
        await using host = open(bytes);
        const { text } = await host.call("bash", { command });
        expect([bytes, Buffer.byteLength(text) <= bytes, Buffer.byteLength(text)]).toEqual([
          bytes,
          true,
          Buffer.byteLength(text),
        ]);
        const { [stream]: shown } = JSON.parse(text) as Record<typeof stream, string>;
        const id = /^\[\.\.\. output truncated: .*; full output written to (\S+) \.\.\.\]\n/.exec(shown)?.[1];
        expect(id).toBeString();
        // Bytes that are no text are read in another way.
        if (command.includes("377")) continue;
        expect((await host.call("read_file", { path: id, limit: 1 })).result.isError).toBeFalsy();
      }
    },
  );

  interface Started {
    readonly id: string;
    readonly next_offset: number;
    readonly output: string;
  }

  test("looks at a monitor are JSON within answer_bytes, and together have all that it put out", async () => {
    await using host = open(2048);
    const started = await host.call("monitor_start", {
      command: "yes '\"\"' | head -n 3000; echo ready",
      ready_when: "ready",
    });
    const { id, next_offset: first, output } = JSON.parse(started.text) as Started;
    let all = output;
    expect(Buffer.byteLength(started.text)).toBeLessThanOrEqual(2048);
    for (let offset = first, running = true; running || offset < 9006;) {
      const { text } = await host.call("monitor_poll", { id, offset });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
      const look = JSON.parse(text) as { running: boolean; output: string; next_offset: number };
      all += look.output.replace(/\n\[\.\.\. more output buffered; continue with offset=\d+ \.\.\.\]$/, "");
      ({ next_offset: offset, running } = look);
    }
    expect(all).toBe(`${'""\n'.repeat(3000)}ready\n`);
  });
});
