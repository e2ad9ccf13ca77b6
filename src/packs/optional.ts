/**
 * The packs that are on where the configuration has their names under `packs`; git also where it is found (`start/git-use.ts`).
 * Nothing of a pack that is off is loaded: of all there is its plan, which a start needs, its tools, and what is said of them.
 */
import type { Pack, PackPlan } from "../contract/index.ts";

export interface OptionalPack {
  /** Whether its settings are right, which processes it needs, and what it reaches and reads; without its tools. */
  readonly plan: () => Promise<PackPlan<unknown>>;
  readonly load: () => Promise<Pack>;
  /** Every name of a tool that it could have, and the least entry under `packs` that brings the tool. */
  readonly brings: () => Readonly<Record<string, object>>;
}

const REACH = { network: { reach: ["..."] } };
/** With SearXNG, which needs nothing but its address. */
const SEARCH = { search: { backend: "searxng", url: "..." } };
const TRANSCRIBE = { transcribe: { program: "..." } };
const STORE = { stores: { NAME: { endpoint: "...", region: "...", buckets: ["..."] } } };
const BROWSER = { program: "/usr/bin/chromium", ...REACH };
const CLUSTER = { contexts: { stage: { server: "..." } } };
const WRITES = { write: true };

/** By name, in the order of `tools/list`. */
export const OPTIONAL_PACKS: Readonly<Record<OptionalName, OptionalPack>> = {
  git: {
    plan: async () => (await import("./plans.ts")).GIT_PLAN,
    load: async () => (await import("./git/pack.ts")).gitPack,
    brings: () => ({
      ...both("git", { status: {}, diff: {}, log: {}, show: {}, blame: {}, branches: {} }),
      ...all(WRITES, "git_add git_restore git_commit git_switch git_stash"),
    }),
  },
  sessions: {
    plan: async () => (await import("./plans.ts")).SESSIONS_PLAN,
    load: async () => (await import("./host/sessions-pack.ts")).sessionsPack,
    brings: () => both("sessions", { list: {}, delete: {} }),
  },
  web: {
    plan: async () => (await import("./plans.ts")).WEB_PLAN,
    load: async () => (await import("./web/pack.ts")).webPack,
    brings: () => both("web", { fetch: REACH, search: SEARCH }),
  },
  memory: {
    plan: async () => (await import("./plans.ts")).MEMORY_PLAN,
    load: async () => (await import("./memory/pack.ts")).memoryPack,
    brings: () => both("memory", { read: {}, write: {}, search: {}, list: {}, delete: {} }),
  },
  media: {
    plan: async () => (await import("./plans.ts")).MEDIA_PLAN,
    load: async () => (await import("./media/pack.ts")).mediaPack,
    brings: () => ({
      ...both("image", { analyze: {} }),
      ...both("media", { send: {} }),
      ...both("audio", { transcribe: TRANSCRIBE }),
    }),
  },
  objects: {
    plan: async () => (await import("./plans.ts")).OBJECTS_PLAN,
    load: async () => (await import("./objects/pack.ts")).objectsPack,
    brings: () =>
      all(
        STORE,
        "object_list object_read object_put object_share object_ingest object_sync minio.share minio.ingest minio.sync",
      ),
  },
  browser: {
    plan: async () => (await import("./plans.ts")).BROWSER_PLAN,
    load: async () => (await import("./browser/pack.ts")).browserPack,
    brings: () => both("browser", { navigate: BROWSER, screenshot: BROWSER }),
  },
  k8s: {
    plan: async () => (await import("./plans.ts")).K8S_PLAN,
    load: async () => (await import("./k8s/pack.ts")).k8sPack,
    brings: () => both("k8s", { pods: CLUSTER, deployments: CLUSTER, logs: CLUSTER }),
  },
};

type OptionalName = "git" | "sessions" | "web" | "memory" | "media" | "objects" | "browser" | "k8s";

/** Tools with their names and aliases: `web_fetch` and `web.fetch`. */
function both(family: string, tools: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([tool, entry]) =>
      [`${family}_${tool}`, `${family}.${tool}`].map((name) => [name, entry]),
    ),
  );
}

/** Tools that the same entry brings, by their names. */
function all(entry: object, names: string): Readonly<Record<string, object>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, entry]));
}

/** The packs that could be switched on beside those. */
export async function plansBeside(names: readonly string[]): Promise<readonly PackPlan<unknown>[]> {
  const others = Object.entries(OPTIONAL_PACKS).filter(([name]) => !names.includes(name));
  return await Promise.all(others.map(async ([, { plan }]) => await plan()));
}

/** The packs with a power of that name. */
export async function loadPacksWith(power: string): Promise<readonly Pack[]> {
  const known = await Promise.all(
    Object.values(OPTIONAL_PACKS).map(async ({ plan, load }) => ({ load, powers: (await plan()).powers ?? [] })),
  );
  const those = known.filter(({ powers }) => powers.some(({ name }) => name === power));
  return await Promise.all(those.map(async ({ load }) => await load()));
}

/** Tools that packs could bring, by each of their names, and what would turn them on. */
export function turnedOffPacks(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(OPTIONAL_PACKS).flatMap(([name, { brings }]) =>
      Object.entries(brings()).map(([tool, entry]) => [
        tool,
        `It is there with "packs": ${JSON.stringify({ [name]: entry })} in the configuration.`,
      ]),
    ),
  );
}
