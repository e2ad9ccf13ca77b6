/**
 * What a configuration may say of each pack.
 */
import type { PackPlan } from "../../src/contract/index.ts";
import { PLANS } from "../../src/packs/plans.ts";

const REACH = { network: { reach: ["a.example:443"] } };
const PROGRAM = { program: "/usr/bin/program", args: ["{file}"] };
const STORE = { endpoint: "https://s3.example", region: "us-east-1", buckets: ["builds"] };

/** Entries that are right, by the name of the pack. */
export const RIGHT: Readonly<Record<string, readonly object[]>> = {
  git: [{}, { enabled: false }, { write: true }],
  sessions: [{}],
  web: [
    {},
    REACH,
    { ...REACH, methods: ["POST"], per_minute: 3, robots: true },
    { credentials: [{ hosts: ["a.example:443"], headers: { authorization: "Bearer ${KEY}" } }] },
    { search: { backend: "json", url: "https://s.example/?q={query}", results: "/hits" } },
  ],
  memory: [
    {},
    { folder: "notes", sources: ["docs/**"] },
    { embedder: { file: "/srv/model" } },
    { embedder: { url: "https://e.example/v1/embeddings", model: "small" } },
  ],
  media: [
    {},
    { ocr: PROGRAM, decode: PROGRAM, transcribe: PROGRAM },
    { transcribe: { url: "https://a.example/v1/audio/transcriptions" } },
  ],
  objects: [{ stores: { art: STORE } }],
  browser: [{ program: "/usr/bin/chromium" }, { program: "/usr/bin/chromium", ...REACH, width: 800, idle_seconds: 5 }],
  k8s: [{ contexts: { stage: { server: "https://api.example:6443" } }, per_minute: 4 }],
};

/** Entries as nearly every configuration has them, for which no schema is made. */
export const SIMPLE: Readonly<Record<string, readonly object[]>> = {
  git: [{}],
  sessions: [{}],
  web: [REACH],
  memory: [{}],
  media: [{}],
  objects: [
    { stores: { art: STORE, b: { ...STORE, credentials: { access_key: "ART_KEY", secret_key: "ART_SECRET" } } } },
  ],
  browser: [{ program: "/usr/bin/chromium", ...REACH }],
  k8s: [
    { contexts: { stage: { server: "https://api.example:6443" } } },
    {
      contexts: {
        stage: { server: "https://api.example", namespace: "pay", context: "arn:a/b", kubeconfig: "/k", exec: "token" },
      },
      context: "stage",
      kubeconfig: "/etc/k",
    },
  ],
};

export function planOf(name: string): PackPlan<unknown> {
  return (PLANS as Readonly<Record<string, PackPlan<unknown>>>)[name]!;
}

export function withoutUndefined(settings: unknown): object {
  return Object.fromEntries(Object.entries(settings as object).filter(([, value]) => value !== undefined));
}
