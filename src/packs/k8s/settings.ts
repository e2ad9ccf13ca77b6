/**
 * What stands under `packs.k8s` in the configuration: clusters by names of the operator's own, each with the address of its API.
 * The addresses stand here and not in a kubeconfig alone, so that what is reached is the configuration, and no other file.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import type { Credential, PackNetwork, SettingsByKey } from "../../contract/index.ts";
import { credentialHosts, hostOf } from "../endpoint-settings.ts";
import { simpleEntries, simpleObject, simpleOrigin, simpleText } from "../simple-settings.ts";

export interface ContextSettings {
  readonly server: string;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace: string;
  readonly exec?: string | undefined;
}

export interface K8sSettings {
  readonly contexts: Readonly<Record<string, ContextSettings>>;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly per_minute: number;
}

const PATH = /^\/[^\0]+$/;
const COMMAND = /^[a-z][a-z0-9_]{0,30}$/;
const [MAX_PATH_CHARS, MAX_NAME_CHARS] = [4096, 500] as const;

/** The names of namespaces, and those that contexts have here (RFC 1123). */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MAX_CONTEXTS = 50;
const USUAL_NAMESPACE = "default";

const kubeconfigSchema = (): z.ZodMiniString =>
  z.string().check(z.regex(PATH, "must be an absolute path"), z.maxLength(MAX_PATH_CHARS));

const contextSchema = (): z.ZodMiniType<ContextSettings> =>
  z
    .strictObject({
      server: described(
        z.string().check(z.maxLength(1000)),
        "The address of its API, as the kubeconfig has it: https://api.example:6443. http only on this machine.",
      ),
      kubeconfig: described(
        z.optional(kubeconfigSchema()),
        "The kubeconfig of this context. Default: that of the pack.",
      ),
      context: described(
        z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_NAME_CHARS))),
        "Its name in the kubeconfig. Default: the name here.",
      ),
      namespace: described(
        z._default(z.string().check(z.regex(LABEL)), USUAL_NAMESPACE),
        "Where a call looks that names no namespace. Default default.",
      ),
      exec: described(
        z.optional(z.string().check(z.regex(COMMAND))),
        "A declared command that is run in the place of the exec plug-in of the kubeconfig.",
      ),
    })
    .check(
      z.refine(
        ({ server }) => isAddress(server),
        "its server must be https://host:port, with a path if need be, or http on a loopback address",
      ),
    );

/** A loop of a model does no harm to a cluster. */
const USUAL_PER_MINUTE = 120;

const SIMPLE_PATH = simpleText(PATH, MAX_PATH_CHARS);

const SIMPLE_CONTEXT = simpleObject<ContextSettings>(
  {
    server: simpleOrigin,
    kubeconfig: SIMPLE_PATH,
    context: simpleText(/./, MAX_NAME_CHARS),
    namespace: simpleText(LABEL),
    exec: simpleText(COMMAND),
  },
  { kubeconfig: undefined, context: undefined, namespace: USUAL_NAMESPACE, exec: undefined },
);

export const K8S_SETTINGS: SettingsByKey<K8sSettings> = {
  usual: { context: undefined, kubeconfig: undefined, per_minute: USUAL_PER_MINUTE },
  simple: {
    contexts: simpleEntries(LABEL, SIMPLE_CONTEXT),
    context: simpleText(/./),
    kubeconfig: SIMPLE_PATH,
  },
  keys: {
    contexts: () =>
      described(
        z
          .record(z.string().check(z.regex(LABEL, "the name of a context has a-z, 0-9 and -")), contextSchema())
          .check(
            z.refine(
              (contexts) => countOf(contexts) > 0 && countOf(contexts) <= MAX_CONTEXTS,
              "it names from 1 to 50 contexts",
            ),
          ),
        "Clusters that its tools may read, by the names that callers and rules use.",
      ),
    context: () => described(z.string(), "Which one is meant where a call names none. Default: the only one."),
    kubeconfig: () =>
      described(
        kubeconfigSchema(),
        "A kubeconfig, outside of every root. Read by the launcher when a cluster is first asked.",
      ),
    per_minute: () =>
      described(
        z.int().check(z.minimum(1), z.maximum(100_000)),
        `Requests to the cluster of one context within a minute. Default ${USUAL_PER_MINUTE}.`,
      ),
  },
  problem: ({ contexts, context }) =>
    context === undefined || Object.hasOwn(contexts, context) ? undefined : "its context is none of contexts",
};

function countOf(contexts: object): number {
  return Object.keys(contexts).length;
}

/** A credential over plain http could be read on the way. */
function isAddress(server: string): boolean {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return false;
  return (
    url.protocol === "https:" || (url.protocol === "http:" && /^(?:127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
  );
}

/** The host of each cluster, and nothing else. */
export function networkOf(settings: K8sSettings): PackNetwork {
  const contexts = Object.entries(settings.contexts);
  const credentials = contexts.flatMap(([name, one]): [string, Credential][] => {
    const file = one.kubeconfig ?? settings.kubeconfig;
    const { server, context = name, exec } = one;
    if (file === undefined) return [];
    return [[name, { ...credentialHosts(server), cluster: { name, kubeconfig: file, context, server, exec } }]];
  });
  return {
    reach: [...new Set(contexts.map(([, { server }]) => hostOf(server)))],
    credentials: Object.fromEntries(credentials),
    perMinute: settings.per_minute,
  };
}

/** The one that is meant without a name; `undefined` where a call has to name it. */
export function usualContext({ contexts, context }: K8sSettings): string | undefined {
  const names = Object.keys(contexts);
  return context ?? (names.length === 1 ? names[0] : undefined);
}
