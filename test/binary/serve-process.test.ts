/**
 * What the harness itself does when the process behind it dies: tests that kill hosts rely on it, at any moment of a call.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Place, ServeProcess } from "./serve-process.ts";

/** Looks without giving way to the event loop, so that the runtime does not learn of the end in between. */
function waitUntilDead(pid: number): void {
  for (;;) if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return;
}

test.skipIf(process.platform !== "linux")(
  "send() to a process that has just died is no error, and answerOrEnd() tells of its end",
  async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place, { binary: "/bin/sleep", command: ["1000"] });
    process.kill(host.child.pid, "SIGKILL");
    waitUntilDead(host.child.pid);
    host.request(1, "ping");
    const code = host.endInput();
    expect(await host.answerOrEnd(1)).toBeUndefined();
    expect(await code).toBe(137);
    // The runtime knows of the end by now.
    host.request(2, "ping");
    expect(await host.answerOrEnd(2)).toBeUndefined();
    await expect(host.answer(2)).rejects.toThrow("it has ended without the message");
  },
);
