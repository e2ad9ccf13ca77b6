/**
 * What happens when Chromium, the broker or the host is killed at any moment: the call fails as what it is, the next one works, and
 * neither a process nor a profile is left.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { descendantsOf } from "../../../src/proc/tree/processes.ts";
import { until } from "../../waits/until.ts";
import type { WebHost } from "../web/web-host.ts";
import { browserProcesses, browsing, nothingLeft, openBrowserHost, runFolders } from "./browser-host.ts";
import { openPageSite, type PageSite } from "./page-site.ts";
import { killAll } from "../../kill.ts";

let site: PageSite;
let host: WebHost;

beforeAll(async () => {
  if (browsing.isMissing) return;
  site = openPageSite();
  host = await openBrowserHost({ reach: [site.host] });
});

afterAll(async () => {
  if (browsing.isMissing) return;
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const url = (path: string): string => `${site.at}${path}`;

/** A call may meet what is in its end, and fails as that. */
async function worksAgain(): Promise<void> {
  await until("a call that works", async () => {
    const { failure, structured } = await host.call("browser_navigate", { url: url("/refreshed") });
    if (failure) expect(failure.code).toBe("command_failed");
    return structured["untrusted_text"] === "refreshed";
  });
  expect(runFolders(host).length).toBe(1);
}

/** The broker of programs, by what its start was told. */
function brokersOf({ serve }: WebHost): readonly number[] {
  return descendantsOf(serve.child.pid).filter((pid) => environmentOf(pid).includes("broker:"));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

describe.skipIf(browsing.isMissing)(`a browser that is lost${browsing.note}`, () => {
  test("a browser that is killed while it loads fails the call, and the next one starts another", async () => {
    await worksAgain();
    site.asked.length = 0;
    const waiting = host.call("browser_navigate", { url: url("/silent"), timeout_ms: 40_000 });
    await until("the request", () => site.asked.includes("/silent"));
    killAll(browserProcesses(host));
    const { failure, all } = await waiting;
    expect([failure?.code as string, all]).toEqual(["command_failed", expect.stringContaining('"browser" ended')]);
    await nothingLeft(host);
    await worksAgain();
  });

  test("a browser that is killed at many moments leaves nothing, and the host goes on", async () => {
    for (const moment of [0, 1, 2, 3]) {
      await nothingRuns();
      const waiting = host.call("browser_navigate", { url: url("/") });
      let isOver = false;
      void waiting.finally(() => (isOver = true));
      await until("a process of it", () => isOver || browserProcesses(host).length > moment);
      killAll(browserProcesses(host));
      const { failure } = await waiting;
      if (failure) expect(failure.code).toBe("command_failed");
      await nothingRuns();
    }
    await worksAgain();
  });

  test("one process of a browser that is killed fails a call at most, and the next one works", async () => {
    await worksAgain();
    const [, ...others] = browserProcesses(host);
    for (const pid of others) {
      killAll([pid]);
      await worksAgain();
    }
  });

  test("a broker that is killed fails the call, again and again, and the next one works", async () => {
    await worksAgain();
    for (let time = 0; time < 5; time++) {
      const brokers = brokersOf(host);
      expect(brokers.length).toBeGreaterThan(0);
      killAll(brokers);
      await worksAgain();
    }
  });

  test("a host that is killed leaves no browser behind", async () => {
    const own = await openBrowserHost({ reach: [site.host] });
    expect((await own.call("browser_navigate", { url: url("/refreshed") })).failure).toBeUndefined();
    const left = browserProcesses(own);
    expect(left.length).toBeGreaterThan(0);
    own.serve.child.kill("SIGKILL");
    await until("the end of the browser", () => left.every((pid) => environmentOf(pid) === ""));
    await until("the end of its folder", () => runFolders(own).length === 0);
    await own[Symbol.asyncDispose]();
  });
});

/** Killed, where one is there. */
async function nothingRuns(): Promise<void> {
  killAll(browserProcesses(host));
  await nothingLeft(host);
}
