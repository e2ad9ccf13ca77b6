/**
 * The limits that agent-tools takes from its environment (`BASH_TIMEOUT_MS`, `BASH_TIMEOUT_MAX_MS`, `MAX_MONITORS`), as keys of
 * `shell`: the usual time of a command, the longest, and how many run in the background. The form shows the time that counts.
 */
import { expect, test } from "bun:test";
import { openAsker } from "../../host/asker.ts";
import { openCommandHost, withLauncher } from "../../proc/command-host.ts";

const LINUX = process.platform === "linux";

async function timeLimit(config: object, call: { name: string; arguments: Record<string, unknown> }): Promise<string> {
  await using asker = await openAsker("2025-11-25", {
    config: { mode: "default", fence: "off", ...config },
    fence: withLauncher,
  });
  const { form, answer } = await asker.ask(call);
  await answer({ action: "accept", content: { decision: "reject" } });
  return /^Time limit: (\d+) ms$/m.exec(form.message as string)?.[1] ?? "";
}

test.skipIf(!LINUX)(
  "usual_timeout_ms is the time of a command that names none, and timeout_ms the longest",
  async () => {
    const shell = { enabled: true, timeout_ms: 300_000, usual_timeout_ms: 5000 };
    const line = "sleep 1";
    for (const [dialect, name, usual] of [
      ["ringfence", "shell", "5000"],
      ["clarvis", "bash", "5000"],
    ] as const) {
      const limitOf = async (given: object, keys: object = shell): Promise<string> =>
        await timeLimit({ dialect, shell: keys }, { name, arguments: { command: line, ...given } });
      expect([dialect, await limitOf({})]).toEqual([dialect, usual]);
      expect([dialect, await limitOf({ timeout_ms: 200_000 })]).toEqual([dialect, "200000"]);
      expect([dialect, await limitOf({ timeout_ms: 400_000 })]).toEqual([dialect, "300000"]);
      const { usual_timeout_ms: _, ...without } = shell;
      const default_ = dialect === "clarvis" ? "120000" : "300000";
      expect([dialect, await limitOf({}, without)]).toEqual([dialect, default_]);
    }
  },
);

test.skipIf(!LINUX)("background is how many commands run beside the calls, and one that ends makes room", async () => {
  await using host = openCommandHost({ config: { dialect: "clarvis", shell: { enabled: true, background: 1 } } });
  const start = { command: "exec sleep 100000" };
  const { id } = JSON.parse((await host.call("monitor_start", start)).text) as { id: string };
  const refused = JSON.parse((await host.call("monitor_start", start)).text) as object;
  expect(refused).toMatchObject({
    error: "too_many_monitors",
    message: expect.stringContaining("1 program runs in the background") as unknown,
  });
  await host.call("monitor_stop", { id });
  expect(JSON.parse((await host.call("monitor_start", start)).text)).toMatchObject({ running: true });
});

test.skipIf(!LINUX)(
  "output_mb ends a command that puts out more, and the answer says so and shows what there is",
  async () => {
    const shell = { enabled: true, output_mb: 1 };
    await using theirs = openCommandHost({ config: { dialect: "clarvis", shell } });
    const { text } = await theirs.call("bash", { command: "yes flood" });
    expect(JSON.parse(text)).toMatchObject({
      error: "output_limit",
      max_capture_bytes: 1024 ** 2,
      stdout: expect.stringContaining("flood\nflood\n") as unknown,
    });
    const least = await theirs.call("bash", { command: "yes flood | head -c 1000000 | wc -c" });
    expect(JSON.parse(least.text)).toMatchObject({ exit_code: 0, stdout: "1000000\n" });
    await using ours = openCommandHost({ config: { shell } });
    const ended = await ours.call("shell", { command: "yes flood" });
    expect(ended.text).toMatch(/^Ended because it put out too much \((?:signal|exit code) .*\nflood\n/);
  },
);
