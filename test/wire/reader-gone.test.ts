/**
 * Whether the reader of standard output is gone, for every kind of output that a host may have: asked by a program of its
 * own, when the test has done to the other end what is to be done.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { openPipe } from "../../src/sys/index.ts";
import { component } from "../components/component.ts";

const FACE = JSON.stringify(join(REPOSITORY, "src", "wire", "index.ts"));
const PROGRAM = `
  import { openReaderCheck } from ${FACE};
  const isGone = openReaderCheck();
  await Bun.stdin.text();
  process.stderr.write(String(isGone()));
`;

/** @param output closed here, when the program has it. @param then done before the program looks */
async function isGone(output: number | "pipe", then: (stdout: unknown) => unknown): Promise<string> {
  await using child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdio: ["pipe", output, "pipe"] });
  if (typeof output === "number") closeSync(output);
  await then(child.stdout);
  await child.stdin.end();
  return await child.stderr.text();
}

describe.skipIf(process.platform !== "linux")("the reader of standard output", () => {
  test("the reader of a pipe on standard output is there until its end is closed", async () => {
    const there = openPipe();
    expect(await isGone(there.write, () => undefined)).toBe("false");
    closeSync(there.read);
    const gone = openPipe();
    expect(await isGone(gone.write, () => closeSync(gone.read))).toBe("true");
  });

  test("the reader of a socket on standard output is there until it is closed", async () => {
    expect(await isGone("pipe", () => undefined)).toBe("false");
    expect(await isGone("pipe", async (stdout) => await (stdout as ReadableStream).cancel())).toBe("true");
  });

  test("the reader of a file or of nothing on standard output is never gone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringfence-output-"));
    try {
      for (const path of ["/dev/null", join(folder, "out")])
        expect(await isGone(openSync(path, "w"), () => undefined)).toBe("false");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const mkfifo = component("mkfifo");
  test.skipIf(mkfifo.isMissing)(
    `the reader of a named pipe on standard output may be followed by another${mkfifo.note}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "ringfence-fifo-"));
      try {
        const path = join(folder, "fifo");
        expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
        const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
        const output = openSync(path, constants.O_WRONLY);
        expect(await isGone(output, () => closeSync(reader))).toBe("false");
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
