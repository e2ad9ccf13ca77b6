/**
 * Processes of the pack: none before the first call, and when one is lost at any moment, the call fails and the next one works.
 */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { until } from "../../waits/until.ts";
import { helpersOf, isRunning } from "../web/helper-processes.ts";
import type { WebHost } from "../web/web-host.ts";
import { openObjectsHost } from "./objects-host.ts";
import { listing, openOwnStore } from "./own-store.ts";
import { killAll } from "../../kill.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

test("a host with the pack starts no process for it before its first call", async () => {
  await using host = await openObjectsHost({ endpoint });
  await host.ask("tools/list");
  await host.call("system_info", {});
  expect(helpersOf(host)).toEqual([]);
});

test("a broker or a parser that is killed fails the call, the next one works, and nothing is left behind", async () => {
  store.stock({ fine: "fine" });
  let left: readonly number[];
  {
    await using host = await openObjectsHost({ endpoint });
    expect(await isListed(host)).toBe(true);
    killAll(helpersOf(host));
    // The host may hear of their end after it has asked them.
    await until("a call that works", async () => await isListed(host));
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    store.plays.set("builds", (_request, _url, response) => {
      asked.resolve();
      void go.promise.then(() => response.end(listing("")));
    });
    const waiting = host.call("object_sync", { prefix: "", directory: "out" });
    await asked.promise;
    killAll(helpersOf(host));
    expect((await waiting).failure?.code).toBe("command_failed");
    go.resolve();
    store.plays.clear();
    await until("a call that works again", async () => await isListed(host));
    left = helpersOf(host);
    expect(left.length).toBeGreaterThan(0);
  }
  await until("nothing of it runs", () => left.every((pid) => !isRunning(pid)));
});

/** Whether a call works. One that meets a process in its end fails as what it is. */
async function isListed(host: WebHost): Promise<boolean> {
  const { failure, text } = await host.call("object_list", {});
  if (failure) expect(failure.code).toBe("command_failed");
  return text.startsWith("fine  4 bytes");
}
