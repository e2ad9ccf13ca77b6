/**
 * The tools of clusters with a real kube-apiserver: what the server of the other tests is a copy of. `bun run test:k8s` runs it.
 */
import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import type { WebHost } from "../web/web-host.ts";
import { kubeconfigOf, openK8sHost } from "./k8s-host.ts";
import { LOG_LINES, WEAK_TOKEN } from "./own-cluster.ts";
import { openRealCluster, PROGRAMS, type RealCluster } from "./real-cluster.ts";
import { STATES } from "./recorded-answers.ts";

const isMissing = !existsSync(PROGRAMS.apiserver) || !existsSync(PROGRAMS.etcd);
const note = isMissing ? " (needs kube-apiserver and etcd: bun run test:k8s)" : "";

test.skipIf(isMissing)(
  `a real cluster is read as the one of the tests: pages, states, selectors, logs and refusals${note}`,
  async () => {
    await using cluster = await openRealCluster();
    await fill(cluster);
    await using host = await openK8sHost(cluster);
    await readAll(host, cluster);
    await using weak = await openK8sHost(cluster, {
      kubeconfig: kubeconfigOf(cluster, { user: { token: WEAK_TOKEN } }),
    });
    const { failure, all } = await weak.call("k8s_pods", {});
    expect(failure?.code).toBe("denied");
    expect(all).toContain('User \\"nobody\\" cannot list resource \\"pods\\"');
    await using nobody = await openK8sHost(cluster, {
      kubeconfig: kubeconfigOf(cluster, { user: { token: "a-token-of-nobody-at-all" } }),
    });
    expect((await nobody.call("k8s_pods", {})).all).toContain("does not accept the credential of stage");
  },
  300_000,
);

async function readAll(host: WebHost, cluster: RealCluster): Promise<void> {
  const found: unknown[] = [];
  let next: object | undefined = { limit: 7 };
  while (next) {
    const answer = await host.call("k8s_pods", next);
    expect(answer.failure).toBeUndefined();
    found.push(
      ...(answer.structured["items"] as { name: string; status: string; ready: string }[]).map((one) => [
        one.name,
        one.status,
        one.ready,
      ]),
    );
    next = answer.structured["next"] as object | undefined;
  }
  expect(found).toEqual(
    kept()
      .map(([state, ready, , { metadata }]) => [metadata.name, state, ready])
      .sort(byName),
  );
  const selected = await host.call("k8s_pods", {
    label_selector: "app in (web,oom)",
    field_selector: "spec.nodeName=node-1",
  });
  expect((selected.structured["items"] as { name: string }[]).map(({ name }) => name)).toEqual(["oom-1", "web-1"]);
  expect((await host.call("k8s_deployments", {})).structured["items"]).toMatchObject([
    { name: "web", replicas: 3, ready: 0 },
  ]);
  expect((await host.call("k8s_logs", { pod: "web-1", tail: 2 })).text).toEndWith(LOG_LINES.slice(-2).join("\n"));
  const two = await host.call("k8s_logs", { pod: "half-1" });
  expect([two.failure?.code as string, two.all]).toEqual(["invalid_input", expect.stringContaining("[app job]")]);
  expect((await host.call("k8s_logs", { pod: "missing" })).failure?.code).toBe("not_found");
  const begun = await host.call("k8s_pods", { limit: 1 });
  await cluster.forget();
  const late = await host.call("k8s_pods", begun.structured["next"] as object);
  expect([late.failure?.code as string, late.all]).toEqual(["stale", expect.stringContaining("Begin again without")]);
}

const byName = ([a = ""]: readonly string[], [b = ""]: readonly string[]): number => (a < b ? -1 : 1);

/** Nobody deletes here, and a cluster before 1.29 knows no init containers that stay. */
function kept(): typeof STATES {
  return STATES.filter(
    ([state, , , { metadata }]) => !["Terminating", "Unknown"].includes(state) && metadata.name !== "sidecar-1",
  );
}

async function fill({ send }: RealCluster): Promise<void> {
  await send("POST", "/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: "payments" } });
  const at = "/api/v1/namespaces/payments/pods";
  for (const [, , , { metadata, spec, status }] of kept()) {
    const { name, labels } = metadata;
    await send("POST", at, { kind: "Pod", apiVersion: "v1", metadata: { name, labels }, spec });
    await send("PATCH", `${at}/${name}/status`, { status }, "application/merge-patch+json");
  }
  await send("POST", "/apis/apps/v1/namespaces/payments/deployments", {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "registry.example/web:1" }] },
      },
    },
  });
}
