/**
 * Several contexts in one host: each has a process and a credential of its own, so that whatever is wrong with one costs calls of
 * that one alone.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { component } from "../../components/component.ts";
import type { WebHost } from "../web/web-host.ts";
import { kubeconfigOf, openK8sHost } from "./k8s-host.ts";
import { openCluster, say, type OwnCluster } from "./own-cluster.ts";
import { podList } from "./recorded-answers.ts";
import { statusOf } from "./recorded-statuses.ts";

const openssl = component("openssl");
let cluster: OwnCluster;

beforeAll(async () => {
  if (!openssl.isMissing) cluster = await openCluster();
});

afterAll(async () => {
  if (!openssl.isMissing) await cluster[Symbol.asyncDispose]();
});

/** Another token with each run. */
const fresh = (user: string): string =>
  `read id </proc/sys/kernel/random/uuid; echo '{"kind":"ExecCredential","status":{"token":"${user}-'$id'"}}'`;

/** A host with a context for each script, which is the declared command that says its token. */
async function openContexts(scripts: Readonly<Record<string, string>>, k8s: object = {}): Promise<WebHost> {
  const names = Object.keys(scripts);
  const contexts = names.map((name) => [
    name,
    { server: cluster.url, context: "stage", exec: `${name}_token`, namespace: "payments" },
  ]);
  return await openK8sHost(cluster, {
    kubeconfig: kubeconfigOf(cluster, { user: { exec: { command: "never-run" } } }),
    k8s: { contexts: Object.fromEntries(contexts), ...k8s },
    config: (place) => {
      const folder = join(place.path, "bin");
      mkdirSync(folder);
      const commands = names.map((name) => {
        const program = join(folder, `${name}-token`);
        writeFileSync(program, `#!/bin/sh\n${scripts[name] ?? ""}\n`);
        chmodSync(program, 0o755);
        return [`${name}_token`, { description: "Gives a token.", program, changes: false }];
      });
      return { commands: Object.fromEntries(commands) };
    },
  });
}

/** The cluster believes the user "good" and nobody else. */
function believeGood(): void {
  cluster.on = (_, response) =>
    cluster.heard.at(-1)?.headers.authorization?.startsWith("Bearer good-") === true
      ? say(response, 200, podList("payments"))
      : say(response, 401, statusOf(401));
}

const tokensSince = (from: number): string[] =>
  cluster.heard.slice(from).map(({ headers }) => headers.authorization ?? "");

describe.skipIf(openssl.isMissing || process.platform !== "linux")(`one of several contexts${openssl.note}`, () => {
  test("its credential is read once, however often the cluster refuses that of another one", async () => {
    believeGood();
    await using host = await openContexts({ good: fresh("good"), bad: fresh("bad") });
    const from = cluster.heard.length;
    for (let count = 0; count < 3; count++) {
      expect((await host.call("k8s_pods", { context: "good" })).failure).toBeUndefined();
      expect((await host.call("k8s_pods", { context: "bad" })).failure?.code).toBe("denied");
    }
    const good = tokensSince(from).filter((token) => token.startsWith("Bearer good-"));
    expect(good).toHaveLength(3);
    expect(new Set(good).size).toBe(1);
  });

  test("a cluster that refuses every credential is asked no more often than its limit, and the command is not run with each call", async () => {
    cluster.on = (_, response) => say(response, 401, statusOf(401));
    await using host = await openContexts({ bad: fresh("bad") }, { per_minute: 2 });
    const from = cluster.heard.length;
    const calls = 8;
    for (let count = 0; count < calls; count++)
      expect(["denied", "busy"]).toContain((await host.call("k8s_pods", {})).failure?.code as string);
    // Each call had the command run twice, and so had two requests, when nothing held the credential.
    const tokens = tokensSince(from);
    expect(tokens.length).toBeLessThan(calls);
    expect(new Set(tokens).size).toBeLessThan(tokens.length);
  });

  test("it is answered while the command for the credential of another one hangs", async () => {
    believeGood();
    await using host = await openContexts({ good: fresh("good"), hangs: "exec tail -f /dev/null" });
    const ended: string[] = [];
    const hanging = host.call("k8s_pods", { context: "hangs" }).then(
      () => ended.push("hangs"),
      () => undefined,
    );
    expect((await host.call("k8s_pods", { context: "good" })).failure).toBeUndefined();
    expect(ended).toEqual([]);
    void hanging;
  });
});
