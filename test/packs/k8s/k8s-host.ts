/**
 * A host with the pack `k8s`, and kubeconfigs for it, as files outside of its roots.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../binary/serve-process.ts";
import { openWebHost, type WebHost } from "../web/web-host.ts";
import { TOKEN, type OwnCluster } from "./own-cluster.ts";

type AnyCluster = Pick<OwnCluster, "url" | "authority">;

export interface KubeconfigGiven {
  readonly cluster?: object;
  readonly user?: object;
}

/** As kubectl writes it, in YAML, with the context `stage`. */
export function kubeconfigOf(
  { url, authority }: AnyCluster,
  { cluster = {}, user = { token: TOKEN } }: KubeconfigGiven = {},
): string {
  const ca = { "certificate-authority-data": Buffer.from(authority.ca).toString("base64") };
  return Bun.YAML.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      preferences: {},
      "current-context": "stage",
      clusters: [{ name: "own", cluster: { server: url, ...ca, ...cluster } }],
      contexts: [{ name: "stage", context: { cluster: "own", user: "robot", namespace: "payments" } }],
      users: [{ name: "robot", user }],
    },
    null,
    2,
  );
}

interface K8sHostOptions {
  readonly kubeconfig?: string | ((place: Place) => string);
  /** Over the context `stage`. */
  readonly context?: object;
  /** Over `packs.k8s`. */
  readonly k8s?: object | (() => object);
  /** Beside `packs.k8s`. */
  readonly packs?: object;
  readonly config?: object | ((place: Place) => object);
  /** The kubeconfig lies in the root. */
  readonly inRoot?: boolean;
}

export async function openK8sHost(
  cluster: AnyCluster,
  {
    kubeconfig = kubeconfigOf(cluster),
    context = {},
    k8s = {},
    packs = {},
    config = {},
    inRoot = false,
  }: K8sHostOptions = {},
): Promise<WebHost> {
  return await openWebHost({
    config: (place) => {
      const file = join(inRoot ? place.root : place.path, "k8s.kubeconfig");
      writeFileSync(file, typeof kubeconfig === "string" ? kubeconfig : kubeconfig(place), { mode: 0o600 });
      const stage = { server: cluster.url, namespace: "payments", ...context };
      const settings = { kubeconfig: file, contexts: { stage }, ...(typeof k8s === "function" ? k8s() : k8s) };
      return {
        packs: { ...packs, k8s: settings },
        results: "structured",
        ...(typeof config === "function" ? config(place) : config),
      };
    },
  });
}
