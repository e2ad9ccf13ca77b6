/**
 * The numbers that pages name are those of `base/limits`. Every number of `docs/tools.md` is made of a limit, or stands in the
 * list of those that are none; of the pages that people write, each sentence that names a limit stands here with it.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";

const ROOT = join(import.meta.dir, "..", "..");
const [KB, MB] = [1024, 1024 * 1024] as const;
const kb = (bytes: number): string => `${bytes / KB}`;
const mb = (bytes: number): string => `${bytes / MB}`;
const grouped = (count: number): string => count.toLocaleString("en-GB");

/** In the words of the page, with the number in its place. */
const TOOLS: readonly string[] = [
  `Default and most: ${limits.MAX_LIST_ENTRIES}; without a limit about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of them`,
  `Default ${limits.USUAL_PATHS} and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of them, at most ${limits.MAX_PATHS}`,
  `Newest first, ${limits.USUAL_PATHS} and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB unless a limit asks for more`,
  `at most ${limits.MAX_GREP_MATCHES} (and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB, unless you give a limit)`,
  `Default ${limits.MAX_GREP_MATCHES} lines, which is also the most, or ${limits.USUAL_PATHS} files of at most ${limits.MAX_PATHS}; without a limit about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of them`,
  `at most ${limits.MAX_LIST_ENTRIES} entries (and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB, unless you give a limit)`,
  `at most ${limits.DEFAULT_READ_LINES} lines and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB, or up to ${mb(limits.MAX_READ_BYTES)} MB where you give a limit`,
  `at most ${mb(limits.MAX_READ_BYTES)} MB. Default ${limits.DEFAULT_READ_LINES}, and about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of them`,
  `about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB together, or up to ${mb(limits.MAX_READ_BYTES)} MB where files have a limit`,
  `about ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of it, and the note says how to read the rest`,
  `| entries of one listing | ${limits.MAX_LIST_ENTRIES} |`,
  `| paths of one glob | ${limits.USUAL_PATHS} (up to ${limits.MAX_PATHS} on request) |`,
  `| matching lines of one grep | ${limits.MAX_GREP_MATCHES} |`,
  `| one line of a grep answer | ${kb(limits.MAX_GREP_LINE_BYTES)} KiB |`,
  `| text of one answer, where its call names no limit | ${kb(limits.DEFAULT_ANSWER_BYTES)} KiB (\`answer_bytes\`) |`,
  `| text of one answer, at most | ${mb(limits.MAX_READ_BYTES)} MiB |`,
  `| lines of one read, where its call names no limit | ${limits.DEFAULT_READ_LINES} |`,
  `| one line of a read | ${kb(limits.MAX_READ_LINE_BYTES)} KiB |`,
  `| files of one read_files | ${limits.MAX_READ_FILES} |`,
  `| new content of one write | ${mb(limits.MAX_WRITE_BYTES)} MiB |`,
  `| a file that can be edited | ${mb(limits.MAX_EDIT_FILE_BYTES)} MiB |`,
  `| edits of one call | ${limits.MAX_EDITS} |`,
  `| files of one replace | ${limits.MAX_REPLACE_FILES} |`,
  `| matches of one replace | ${limits.MAX_REPLACEMENTS} |`,
  `| a file that replace looks into | ${mb(limits.MAX_REPLACE_FILE_BYTES)} MiB |`,
  `| entries of one tree copy or delete | ${limits.MAX_TREE_ENTRIES} |`,
  `| time of one call | ${limits.DEFAULT_CALL_MS / 1000} s |`,
  `| time of one search, hash or tree operation | ${limits.LONG_CALL_MS / 1000} s |`,
  `How long to wait at most. Default ${limits.REVIEW_WAIT_MS / 1000}; 0 only looks.`,
  `| life of a proposal | ${limits.PROPOSAL_TTL_MS / 3_600_000} h |`,
  `| proposals waiting | ${limits.MAX_PROPOSALS} |`,
];

/** Numbers of two digits or more that bound nothing, or what a tool bounds by itself; a test of the tool has those. */
const NO_LIMITS: readonly string[] = [
  "(-20: the last 20 lines)",
  "Children to name, largest first. Default 20.",
  "Entries to return. Default 200 and about 32 KB of them, at most 1000 and what one message holds.",
  "Default 20, at most 500.",
  "Lines. Default 200, at most 2000.",
  "Default 100, at most 1000.",
  "Characters to show. Default 20000, at most 100000.",
  "Characters to show. Default 8000, at most 100000.",
  "For loading it; what is there then is the answer. Default 20000, at most 40000.",
  "Pixels of the longer side; a larger picture is scaled down. Default 1568, at most 4096.",
  "For loading url. Default 20000, at most 40000.",
  "For the whole answer. Default 20000, at most 60000.",
  "Results to show. Default 10, at most 20.",
  "Default 200, at most 1000.",
  "Bytes to read. Default 32768, at most 1048576.",
  "At most so many sessions. Default 20.",
  "At most 64 MB, without secrets.",
  "Seconds for which the address works. Default 900, at most 86400.",
  "Default 100, at most 500.",
  "Default and most: 100000.",
  "at most 500.",
  "Lines. Default 2000.",
  "Default 200, at most 1000.",
  "Default 10, at most 50.",
  "the bytes in base64, at most 10 MB.",
  "The longest side that is shown. Default 1568.",
  "Images and sound up to 768 KB are shown in the answer",
  "The last so many lines. Default 200, at most 5000.",
  "10m, 1h30m, 2d, or a time such as 2026-11-23T10:00:00Z.",
  "Bytes to take. Default 1048576, at most 4194304.",
  "Up to 2 hours and 512 MB by path, or 10 MB as data.",
];

test("every number of docs/tools.md is that of a limit", () => {
  const page = readFileSync(join(ROOT, "docs/tools.md"), "utf8");
  for (const said of [...TOOLS, ...NO_LIMITS]) expect(page).toContain(said);
  const rest = [...TOOLS, ...NO_LIMITS].reduce((text, said) => text.replaceAll(said, ""), page);
  const numbers = rest
    .split("\n")
    .filter((line) => /(?<![\w-])\d[\d,.]*\d(?![\w-])/.test(line))
    .map((line) => line.trim());
  expect(numbers).toEqual([]);
});

const PAGES: readonly (readonly [page: string, said: string])[] = [
  ["README.md", `are ${kb(limits.DEFAULT_ANSWER_BYTES)} KB of text`],
  ["README.md", `up to ${mb(limits.MAX_READ_BYTES)} MB on request`],
  ["README.md", `${limits.DEFAULT_READ_LINES} lines of a read`],
  ["README.md", `A write has up to ${mb(limits.MAX_WRITE_BYTES)} MiB`],
  ["README.md", `a search or hash ${limits.LONG_CALL_MS / 1000}`],
  ["README.md", `A proposal waits ${limits.PROPOSAL_TTL_MS / 3_600_000} hours`],
  ["README.md", `${limits.MAX_LIST_ENTRIES} entries of a listing`],
  ["README.md", `${limits.MAX_GREP_MATCHES} matches`],
  ["README.md", `A line of input is at most ${mb(limits.MAX_FRAME_BYTES)} MiB`],
  ["README.md", `A call has ${limits.DEFAULT_CALL_MS / 1000} seconds`],
  ["README.md", `a call of more than ${limits.TASKS_AFTER_MS / 1000} seconds`],
  ["docs/clients.md", `at most ${kb(limits.DEFAULT_ANSWER_BYTES)} KB`],
  ["docs/clients.md", `after ${limits.TASKS_AFTER_MS / 1000} seconds`],
  ["docs/search.md", `larger than ${mb(limits.MAX_REPLACE_FILE_BYTES)} MiB`],
  ["docs/wire.md", `a line over ${mb(limits.MAX_FRAME_BYTES)} MiB`],
  ["docs/wire.md", `No line is longer than ${mb(limits.MAX_LINE_BYTES)} MiB`],
  ["docs/wire.md", `pages has up to ${kb(limits.DEFAULT_ANSWER_BYTES)} KB`],
  ["docs/wire.md", `with a \`limit\` gets up to ${mb(limits.MAX_READ_BYTES)} MiB`],
  ["docs/wire.md", `The text of a result is at most ${mb(limits.MAX_TEXT_BYTES)} MiB`],
  ["docs/wire.md", `about ${mb(limits.MAX_OUTPUT_QUEUE_BYTES)} MiB`],
  ["docs/transactions.md", `for ${limits.IDEMPOTENCY_TTL_MS / 3_600_000} hours`],
  ["docs/transactions.md", `a file of more than ${mb(limits.MAX_KEPT_COPY_BYTES)} MB`],
  ["docs/commands.md", `unless it is longer than ${mb(limits.MAX_COMMAND_SPILL_BYTES)} MiB`],
  ["docs/commands.md", `Up to ${grouped(limits.MAX_SNAPSHOT_FILES)} files`],
  [
    "docs/policy.md",
    `at ${mb(limits.MAX_AUDIT_SEGMENT_BYTES)} MiB or a day; of all, ${mb(limits.MAX_AUDIT_BYTES)} MiB`,
  ],
  ["docs/upstream.md", `more than ${grouped(limits.MAX_UPSTREAM_LINES)} lines or ${mb(limits.MAX_UPSTREAM_CHARS)} MB`],
  ["docs/library.md", `${limits.HELPER_CALL_MS / 1000} seconds`],
  ["docs/library.md", `${limits.HELPER_MEMORY_MB} MB`],
  ["docs/bridge.md", `over ${kb(limits.MAX_FOREIGN_SCHEMA_BYTES)} KiB`],
  ["docs/bridge.md", `At most ${limits.MAX_FOREIGN_TOOLS} tools`],
  ["docs/dialects.md", `${limits.MAX_READ_FILES} files, ${limits.MAX_LIST_ENTRIES} entries`],
];

test.each(PAGES)("%s names the limit as it is: %s", (page, said) => {
  expect(readFileSync(join(ROOT, page), "utf8").replaceAll(/\s+/g, " ")).toContain(said);
});
