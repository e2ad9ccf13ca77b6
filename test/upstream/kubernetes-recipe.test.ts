/**
 * The recipe `docs/recipes/kubernetes.md` with the real server and a cluster of the tests: what the page says is what is started,
 * with other paths and another address.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RawConfig } from "../../src/config/index.ts";
import { component } from "../components/component.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { kubeconfigOf } from "../packs/k8s/k8s-host.ts";
import { openCluster, type OwnCluster } from "../packs/k8s/own-cluster.ts";
import { KUBERNETES_SERVER, recipeBlock } from "./kubernetes-recipe.ts";
import { openUpstreamHost, type Servers } from "./upstream-host.ts";

const openssl = component("openssl");
const isMissing = KUBERNETES_SERVER.isMissing || openssl.isMissing;
const note = `${KUBERNETES_SERVER.note}${openssl.note}`;

let folder: string;
let kubeconfig: string;
let cluster: OwnCluster;

beforeAll(async () => {
  if (isMissing) return;
  folder = mkdtempSync(join(tmpdir(), "ringfence-recipe-"));
  cluster = await openCluster();
  kubeconfig = join(folder, "k8s.kubeconfig");
  writeFileSync(kubeconfig, kubeconfigOf(cluster), { mode: 0o600 });
});

afterAll(async () => {
  if (isMissing) return;
  rmSync(folder, { recursive: true });
  await cluster[Symbol.asyncDispose]();
});

interface Recipe {
  readonly upstream: Servers;
  readonly rules: NonNullable<RawConfig["rules"]>;
}

async function offered(host: TestHost): Promise<readonly string[]> {
  const { result } = await host.request("tools/list", {});
  return (result.tools as { name: string }[]).map(({ name }) => name).filter((name) => /^(?:mcp|k8s)/.test(name));
}

test.skipIf(isMissing)(
  `the configuration of the recipe starts kubernetes-mcp-server, which reads the cluster and nothing else${note}`,
  async () => {
    const { upstream, rules } = recipeBlock(0, { kubeconfig, url: cluster.url }) as Recipe;
    await using host = await openUpstreamHost(upstream, { config: { fence: "auto", mode: "default", rules } });
    const names = await offered(host);
    expect(names).toEqual(expect.arrayContaining(["mcp_k8s_pods_log", "k8s_events", "k8s_services"]));
    expect(names.filter((name) => /config|delete|exec|create|resources_list/.test(name))).toEqual([]);
    const { text: log, failure } = await host.call("mcp_k8s_pods_log", { name: "web-1", namespace: "payments" });
    expect([failure, log]).toEqual([undefined, expect.stringContaining("line 1000 of the log")]);
    expect((await host.call("k8s_events", { namespace: "payments" })).text).toContain("Back-off restarting");
    expect((await host.call("k8s_services", { namespace: "payments" })).text).toMatch(/payments .*Service .*web/);
    expect((await host.call("k8s_services", { kind: "Secret" })).failure?.code).toBe("invalid_input");
    const asked = await host.call("mcp_k8s_resources_get", { apiVersion: "v1", kind: "Secret", name: "x" });
    expect(asked.proposal).toBeDefined();
    expect(cluster.heard.some(({ user }) => user === "robot")).toBe(true);
    expect(cluster.heard.filter(({ url }) => url.pathname.includes("secrets"))).toEqual([]);
  },
);

test.skipIf(isMissing)(
  `the names of Flynn on the page lead to the tools of kubernetes-mcp-server with their arguments${note}`,
  async () => {
    const { upstream } = recipeBlock(0, { kubeconfig, url: cluster.url }) as Recipe;
    const as = recipeBlock(1, { kubeconfig, url: cluster.url }) as NonNullable<Servers[string]["as"]>;
    const servers = Object.fromEntries(Object.entries(upstream).map(([name, one]) => [name, { ...one, as }]));
    await using host = await openUpstreamHost(servers, { config: { fence: "auto", dialect: "flynn", mode: "bypass" } });
    expect((await offered(host)).filter((name) => name.startsWith("k8s"))).toEqual(
      expect.arrayContaining(Object.keys(as)),
    );
    expect((await host.call("k8s.pods", { namespace: "payments", selector: "app=web" })).text).toContain("web-1");
    expect(cluster.heard.at(-1)?.url.searchParams.get("labelSelector")).toBe("app=web");
    expect((await host.call("k8s.deployments", { namespace: "payments" })).text).toContain("api");
    const log = await host.call("k8s.logs", { pod: "web-1", namespace: "payments", lines: 2 });
    expect(log.text).toContain("line 1000 of the log");
    expect(log.text).not.toContain("line 998 ");
  },
);
