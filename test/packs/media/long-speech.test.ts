/** Sound that takes long to write down, as a client meets it: how far it is, a task that goes on, and an end that is one. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../binary/serve-process.ts";
import { META } from "../../mcp/slow-host.ts";
import { findRunning, goneSoon } from "../../proc/find-running.ts";
import { until } from "../../waits/until.ts";
import { openMediaHost, type MediaHost } from "./media-host.ts";

/** As the decoder makes them: 16 kHz, one channel, two bytes. */
const TWO_HOURS = 7200 * 32_000;
const decode = { program: "/bin/sh", args: ["-c", `truncate -s ${TWO_HOURS} "$1"`, "sh", "{out}"] };

const gateOf = ({ path }: Place): string => join(path, "gate");

/** Writes down an hour, and the other one when its gate is opened. */
function slowProgram(place: Place): object {
  const gate = gateOf(place);
  mkdirSync(gate);
  const line = [
    "echo '[00:59:58.000 --> 01:00:00.000] one hour'",
    `until [ -e ${gate}/open ]; do sleep 0.05; done`,
    "echo '[01:59:58.000 --> 02:00:00.000] and another'",
  ].join("; ");
  return { decode, transcribe: { program: "/bin/sh", args: ["-c", line, "sh", "{file}"], reads: [gate] } };
}

async function openSlow(more: object = {}): Promise<MediaHost> {
  const host = await openMediaHost(slowProgram, more);
  host.write("long.ogg", "OggS\0\0");
  return host;
}

/** The decoder has no gate. */
async function isBegun({ place }: MediaHost): Promise<void> {
  await until("the program to begin", () => findRunning(gateOf(place)).length > 0);
}

describe.skipIf(process.platform !== "linux")("speech of two hours", () => {
  test("a call for long speech tells the seconds that are written down, of all", async () => {
    await using host = await openSlow();
    host.serve.call("long", "audio_transcribe", { path: "long.ogg" }, { progressToken: "how far" });
    const { params } = await host.serve.find(
      ({ method, params: told }) => method === "notifications/progress" && told?.["progress"] === 3600,
    );
    expect(params).toMatchObject({
      progressToken: "how far",
      progress: 3600,
      total: 7200,
      message: "seconds of sound written down",
    });
    writeFileSync(join(gateOf(host.place), "open"), "");
    const { result } = await host.serve.answer("long");
    expect(result?.structuredContent).toMatchObject({ text: "one hour\nand another", seconds: 7200 });
  });

  test("a call for long speech becomes a task, which has the text in its end", async () => {
    await using host = await openSlow({ tasks_after_ms: 50 });
    host.serve.call("long", "audio_transcribe", { path: "long.ogg" }, META);
    const { result: begun } = await host.serve.answer("long");
    expect(begun).toMatchObject({ resultType: "task", status: "working" });
    await isBegun(host);
    writeFileSync(join(gateOf(host.place), "open"), "");
    let asked = 0;
    const ended = await until("the task to end", async () => {
      const ask = await host.serve.ask(`get ${++asked}`, "tasks/get", { taskId: begun?.["taskId"], _meta: META });
      return ask.result?.["status"] !== "working" && ask.result;
    });
    expect(ended).toMatchObject({
      status: "completed",
      result: { structuredContent: { text: "one hour\nand another", seconds: 7200 } },
    });
  });

  test("a call for long speech that is cancelled ends its program", async () => {
    await using host = await openSlow();
    host.serve.call("long", "audio_transcribe", { path: "long.ogg" });
    await isBegun(host);
    host.serve.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
    await goneSoon(gateOf(host.place));
    expect((await host.serve.ask("after", "ping")).result).toEqual({});
  });

  test("a program that takes longer than it may is ended, and the answer says so", async () => {
    await using host = await openMediaHost((place) => {
      const { transcribe } = slowProgram(place) as { transcribe: object };
      return { decode, transcribe: { ...transcribe, timeout_ms: 1000 } };
    });
    host.write("long.ogg", "OggS\0\0");
    const { failure, text } = await host.call("audio_transcribe", { path: "long.ogg" });
    expect(failure?.code).toBe("timed_out");
    expect(text).toContain("it took longer than 1 s");
    await goneSoon(gateOf(host.place));
  });
});
