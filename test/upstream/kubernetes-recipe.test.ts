/**
 * The recipe `docs/recipes/kubernetes.md` with the real server and a cluster of the tests: what the page says is what is started,
 * with other paths and another address.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { mcpServer } from "../components/mcp-server.ts";
import { kubeconfigOf } from "../packs/k8s/k8s-host.ts";
import { openCluster } from "../packs/k8s/own-cluster.ts";
import { openUpstreamHost, toolNames, type Servers } from "./upstream-host.ts";

const PAGE = join(import.meta.dir, "..", "..", "docs", "recipes", "kubernetes.md");
const server = mcpServer("kubernetes-mcp-server");
const openssl = component("openssl");

test.skipIf(server.isMissing || openssl.isMissing)(
  `the configuration of the recipe starts kubernetes-mcp-server, which reads the cluster and nothing else${server.note}${openssl.note}`,
  async () => {
    await using cluster = await openCluster();
    const folder = mkdtempSync(join(tmpdir(), "ringfence-recipe-"));
    const kubeconfig = join(folder, "k8s.kubeconfig");
    writeFileSync(kubeconfig, kubeconfigOf(cluster), { mode: 0o600 });
    const [, text = ""] = /```json\n([^]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
    const said = text
      .replaceAll(/\/opt\/[^"]+\/node_modules/g, server.modules)
      .replaceAll("/etc/ringfence/k8s.kubeconfig", kubeconfig)
      .replaceAll("api.stage.corp.example:6443", `127.0.0.1:${cluster.port}`);
    const { upstream } = JSON.parse(text === "" ? "{}" : said) as { readonly upstream: Servers };
    try {
      await using host = await openUpstreamHost(upstream, { config: { fence: "auto" } });
      const names = await toolNames(host);
      expect(names).toContain("mcp_k8s_pods_log");
      expect(names.filter((name) => /config|delete|exec|create/.test(name))).toEqual([]);
      const { text: log, failure } = await host.call("mcp_k8s_pods_log", { name: "web-1", namespace: "payments" });
      expect([failure, log]).toEqual([undefined, expect.stringContaining("line 1000")]);
      expect(log).toContain("line 1000 of the log");
      expect(cluster.heard.some(({ user }) => user === "robot")).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
