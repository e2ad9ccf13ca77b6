/**
 * The record and the pipe of the compiled host: whatever a client has received is on record, however the host ends, and
 * calls that are under way are on record before a worker has done them.
 */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settled } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";

const CALLS = 600;

test("every answer that has come is on record, also when the host is killed in the middle of a burst", async () => {
  const place = mkdtempSync(join(tmpdir(), "ringfence-record-first-"));
  const root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "one\n");
  const command = [await binaryPath(), "serve", "--root", root, "--state-dir", join(place, "state"), "--fence=off"];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  try {
    const lines = Array.from({ length: CALLS }, (_, id) => {
      const params = { name: "read_file", arguments: { path: id % 7 === 0 ? "none.txt" : "a.txt" } };
      return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
    });
    void child.stdin.write(lines.join(""));
    void child.stdin.flush();
    const received = await settled("a part of the answers", readSome(child.stdout, CALLS / 3));
    child.kill("SIGKILL");
    await child.exited;
    const events = eventsIn(join(place, "state", "audit"));
    const ended = events.filter((event) => event === "completed" || event === "failed").length;
    expect(received).toBeGreaterThanOrEqual(CALLS / 3);
    expect(ended).toBeGreaterThanOrEqual(received);
    expect(events.filter((event) => event === "proposed").length).toBeGreaterThanOrEqual(ended);
    expect(events.filter((event) => event === "started").length).toBeGreaterThanOrEqual(ended);
  } finally {
    child.kill("SIGKILL");
    rmSync(place, { recursive: true, force: true });
  }
});

/** @returns how many whole answers had come when there were at least so many */
async function readSome(stream: ReadableStream<Uint8Array>, least: number): Promise<number> {
  let count = 0;
  for await (const chunk of stream) {
    count += chunk.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0);
    if (count >= least) break;
  }
  return count;
}

function eventsIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly event: string }).event),
  );
}
