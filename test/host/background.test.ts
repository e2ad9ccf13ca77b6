/**
 * Programs in the background, as a client meets them: started, found ready, read on, stopped, and never too many.
 */
import { describe, expect, test } from "bun:test";
import { hostOfEachTest, script } from "../proc/command-host.ts";

const open = hostOfEachTest();
/** Only a program that hangs is waited for so long. */
const PATIENT_MS = 300_000;

describe.skipIf(process.platform !== "linux")("programs in the background", () => {
  test("programs in the background are started, read, waited for and stopped", async () => {
    const server = script('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done');
    const opened = open({ server });
    const started = await opened.call("process_start", {
      command: "server",
      ready_when: { text: "ready", timeout_ms: PATIENT_MS },
    });
    expect(started.all).toContain("What was waited for is there");
    const id = /^(run_\S+) running/.exec(started.text)?.[1];
    expect((await opened.call("process_list")).text).toMatch(new RegExp(`^${id}  running  pid \\d+, \\d process`));
    const silent = await opened.call("process_output", { id, wait_for: "never", wait_ms: 100 });
    expect(silent.all).toContain("did not come");
    const stopped = await opened.call("process_stop", { id, grace_ms: 60_000 });
    expect(stopped.text).toMatch(/ended with exit code 0, pid \d+\n(?:Terminated\n)?bye/);
    expect((await opened.call("process_output", { id, offset: 0 })).text).toMatch(/ready\n(?:Terminated\n)?bye/);
  });

  test("a program is found ready by a text that comes behind more output than one answer has", async () => {
    const much = script("yes 0123456789 | head -c 700000; echo over; sleep 100000");
    const ready_when = { text: "over", timeout_ms: PATIENT_MS };
    const started = await open({ much }).call("process_start", { command: "much", ready_when });
    expect(started.all).toContain("What was waited for is there");
  });

  test("a program is found ready by an expression, and its output is read by the lines that match", async () => {
    const server = script("printf 'booting\\nlisten on 80\\nlisten on 81\\nlisten o'; sleep 100000");
    const opened = open({ server });
    const ready_when = { pattern: "^listen on \\d+$", timeout_ms: PATIENT_MS };
    const started = await opened.call("process_start", { command: "server", ready_when });
    expect(started.all).toContain("What was waited for is there");
    const id = /^(run_\S+) running/.exec(started.text)?.[1];
    for (const [match, wanted] of [
      ["^listen|^boot", "booting\nlisten on 80\nlisten on 81"],
      ["1$", "listen on 81"],
      ["[|^]|\\^", "[no new output]"],
      ["o{2}|x|80", "booting\nlisten on 80"],
    ] as const) {
      const { text } = await opened.call("process_output", { id, offset: 0, match });
      expect([match, text.slice(text.indexOf("\n") + 1)]).toEqual([match, wanted]);
    }
    const wrong = await opened.call("process_output", { id, match: "(" });
    expect(wrong.failure?.code).toBe("invalid_input");
  });

  test("a program is found ready by its port", async () => {
    const code = "Bun.listen({hostname:'127.0.0.1',port:Number(process.argv.at(-1)),socket:{data(){}}})";
    const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const { port } = probe;
    probe.stop(true);
    const serve = { description: "x", program: process.execPath, args: ["-e", code, String(port)] };
    const started = await open({ serve }).call("process_start", {
      command: "serve",
      ready_when: { port, timeout_ms: PATIENT_MS },
    });
    expect(started.all).toContain("What was waited for is there");
  });

  test("programs in the background are asked about like any command, and unknown ones are not found", async () => {
    const opened = open({ server: script("sleep 100000") }, { mode: "default" });
    expect((await opened.call("process_start", { command: "server" })).proposal?.risk).toBe("R3");
    expect((await opened.call("process_output", { id: "run_x" })).failure?.code).toBe("not_found");
  });

  test("programs in the background are 32 at most", async () => {
    const opened = open({ wait: script("exec sleep 100000") });
    const answers = await Promise.all(
      Array.from({ length: 33 }, async () => await opened.call("process_start", { command: "wait" })),
    );
    expect(answers.filter(({ failure }) => failure?.code === "busy")).toHaveLength(1);
  });
});
