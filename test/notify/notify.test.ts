/**
 * `ringfence notify` with a real desktop, a real tmux and a real receiver of its webhook. The proposals are made by a host in this
 * process, and the command finds them in its state folder.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { component } from "../components/component.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

const desktop = component("dbus-run-session", "Xvfb", "dunst", "notify-send");
const tmux = component("tmux");

let host: TestHost;
beforeEach(() => {
  host = openTestHost({ files: { "a.txt": "a\n" } });
  mkdirSync(host.stateDir, { recursive: true, mode: 0o700 });
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
});

const propose = async (count: number): Promise<string[]> => {
  const answers = await Promise.all(
    Array.from(
      { length: count },
      async (_, at) => await host.call("write_file", { path: `n${at}.txt`, content: "n\n" }),
    ),
  );
  return answers.map(({ proposal }) => proposal?.id ?? "");
};

const reject = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await host.request("ringfence/proposals/reject", { id });
};

interface Ran {
  readonly code: number;
  readonly said: string;
}

/** With few variables, as a service is started. */
async function notify(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const child = Bun.spawn([await binaryPath(), "notify", "--state-dir", host.stateDir, ...flags], {
    env: { PATH: process.env["PATH"], HOME: host.top, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await settled("the end of notify", child.exited), said: stdout + stderr };
}

test.skipIf(desktop.isMissing)(
  `a desktop gets one notice for a burst of 20, and one when all of them are decided${desktop.note}`,
  async () => {
    const folder = join(host.top, "desktop");
    mkdirSync(folder);
    const command = [await binaryPath(), "notify", "--state-dir", host.stateDir];
    const child = Bun.spawn(
      ["dbus-run-session", "--", "bash", join(import.meta.dir, "desktop.sh"), folder, ...command],
      { env: { PATH: process.env["PATH"], HOME: host.top }, stdio: ["pipe", "ignore", "ignore"] },
    );
    const notices = (): string[] =>
      existsSync(join(folder, "notices"))
        ? [...readFileSync(join(folder, "notices"), "utf8").matchAll(/summary: '([^']*)'/g)].map(
            ([, said = ""]) => said,
          )
        : [];
    await until("the command to begin", () => existsSync(join(folder, "said")));
    const ids = await propose(20);
    await until("the notice of the burst", () => notices().length > 0);
    await reject(ids);
    await until("the notice of the end", () => notices().length > 1);
    await child.stdin.end();
    expect(await settled("the end of the desktop", child.exited)).toBe(0);
    expect(notices()).toEqual(["ringfence: 20 proposals need you", "ringfence: nothing waits any more"]);
    const printed = readFileSync(join(folder, "notices"), "utf8");
    expect(printed).toContain('"open": "Review"');
    expect(printed).toContain("Create n0.txt (R2)");
    expect(readFileSync(join(folder, "said"), "utf8")).toBe("");
  },
);

test("without a bus, a display and a terminal it says nothing and ends well", async () => {
  await propose(1);
  expect(await notify([])).toEqual({ code: 0, said: "" });
  expect(await notify([], { DISPLAY: ":99" })).toEqual({ code: 0, said: "" });
});

test("a program that cannot show its notice is nobody's affair, and a signal ends all of it well", async () => {
  const tried = join(host.top, "tried");
  const programs = join(host.top, "bin");
  mkdirSync(programs);
  const failing = `#!/bin/sh\necho "$@" >>'${tried}'\necho broken >&2\nexit 1\n`;
  writeFileSync(join(programs, "notify-send"), failing, { mode: 0o755 });
  const child = Bun.spawn([await binaryPath(), "notify", "--state-dir", host.stateDir], {
    env: { PATH: `${programs}:${process.env["PATH"]}`, HOME: host.top, DBUS_SESSION_BUS_ADDRESS: "unix:path=/none" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await propose(1);
  await until("the notice", () => existsSync(tried) && readFileSync(tried, "utf8").includes("1 proposal needs you"));
  child.kill("SIGTERM");
  const said = (await child.stdout.text()) + (await child.stderr.text());
  expect([await settled("the end", child.exited), said]).toEqual([0, ""]);
});

test.skipIf(tmux.isMissing)(
  `tmux flags the window in which it runs, and its title has the count${tmux.note}`,
  async () => {
    const socket = join(host.top, "tmux");
    const run = (...args: string[]): string => {
      const done = Bun.spawnSync(["tmux", "-S", socket, "-f", "/dev/null", ...args], {
        env: { PATH: process.env["PATH"], HOME: host.top, TERM: "xterm" },
      });
      return done.stdout.toString().trim();
    };
    try {
      run("new-session", "-d", "-x", "80", "-y", "24", "-n", "work");
      run("set-option", "-g", "monitor-bell", "on");
      const shown = (what: string): string => run("display-message", "-p", "-t", ":told", what);
      run("new-window", "-d", "-n", "told", `${await binaryPath()} notify --state-dir ${host.stateDir}`);
      expect(shown("#{window_bell_flag}")).toBe("0");
      const ids = await propose(3);
      await until("the flag of the window", () => shown("#{window_bell_flag}") === "1");
      expect(shown("#{pane_title}")).toBe("(3) ringfence");
      expect(shown("#{window_flags}")).toContain("!");
      await reject(ids);
      await until("the title without a count", () => shown("#{pane_title}") === "ringfence");
    } finally {
      run("kill-server");
    }
  },
);

test.skipIf(process.platform !== "linux")(
  "--install writes a service once, replaces its own, and leaves a file of others alone",
  async () => {
    const print = await notify(["--install", "--print"]);
    expect(print.code).toBe(0);
    const config = join(host.top, "config");
    const path = join(config, "systemd", "user", "ringfence-notify.service");
    expect(await notify(["--install", "--print"], { XDG_CONFIG_HOME: config })).toEqual(print);
    expect(existsSync(path)).toBe(false);
    for (const _ of ["first", "again"]) {
      const { code, said } = await notify(["--install"], { XDG_CONFIG_HOME: config });
      expect([code, said]).toEqual([0, expect.stringContaining(`Wrote ${path}`)]);
    }
    expect(readFileSync(path, "utf8")).toBe(print.said);
    expect(print.said).toMatch(new RegExp(`^ExecStart=/.* notify --state-dir ${host.stateDir}$`, "m"));
    writeFileSync(path, "[Unit]\n");
    const refused = await notify(["--install"], { XDG_CONFIG_HOME: config });
    expect([refused.code, readFileSync(path, "utf8")]).toEqual([1, "[Unit]\n"]);
    expect(refused.said).toContain("ringfence did not write it");
  },
);

test("only the machine's file may name a webhook", async () => {
  const config = join(host.top, "ringfence.json");
  writeFileSync(config, JSON.stringify({ notify: { webhook: "https://example.com/hook" } }));
  const child = Bun.spawn([await binaryPath(), "check", "--config", config, "--root", host.root], {
    env: { PATH: process.env["PATH"], HOME: host.top },
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(await child.stderr.text()).toContain("only the machine's file may say notify");
  expect(await child.exited).toBe(2);
});
