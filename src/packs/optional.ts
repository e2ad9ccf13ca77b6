/**
 * The packs that are on where the configuration has their names under `packs`; git also where it is found (`start/git-use.ts`).
 * No tool of a pack that is off is loaded. A start with any pack loads the plans of all, in `plans.ts`.
 */
import type { Pack } from "../contract/index.ts";
import type { OptionalName } from "./plans.ts";

export interface OptionalPack {
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
    load: async () => (await import("./git/pack.ts")).gitPack,
    brings: () => ({
      ...both("git", { status: {}, diff: {}, log: {}, show: {}, blame: {}, branches: {} }),
      ...all(WRITES, "git_add git_restore git_commit git_switch git_stash"),
    }),
  },
  sessions: {
    load: async () => (await import("./host/sessions-pack.ts")).sessionsPack,
    brings: () => both("sessions", { list: {}, delete: {} }),
  },
  web: {
    load: async () => (await import("./web/pack.ts")).webPack,
    brings: () => both("web", { fetch: REACH, search: SEARCH }),
  },
  memory: {
    load: async () => (await import("./memory/pack.ts")).memoryPack,
    brings: () => both("memory", { read: {}, write: {}, search: {}, list: {}, delete: {} }),
  },
  media: {
    load: async () => (await import("./media/pack.ts")).mediaPack,
    brings: () => ({
      ...both("image", { analyze: {} }),
      ...both("media", { send: {} }),
      ...both("audio", { transcribe: TRANSCRIBE }),
    }),
  },
  objects: {
    load: async () => (await import("./objects/pack.ts")).objectsPack,
    brings: () =>
      all(
        STORE,
        "object_list object_read object_put object_share object_ingest object_sync minio.share minio.ingest minio.sync",
      ),
  },
  browser: {
    load: async () => (await import("./browser/pack.ts")).browserPack,
    brings: () => both("browser", { navigate: BROWSER, screenshot: BROWSER }),
  },
  k8s: {
    load: async () => (await import("./k8s/pack.ts")).k8sPack,
    brings: () => both("k8s", { pods: CLUSTER, deployments: CLUSTER, logs: CLUSTER }),
  },
};

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

/** The packs with a power of that name. */
export async function loadPacksWith(power: string): Promise<readonly Pack[]> {
  const { PLANS } = await import("./plans.ts");
  const those = Object.entries(OPTIONAL_PACKS).filter(([name]) =>
    PLANS[name as OptionalName].powers?.some((one) => one.name === power),
  );
  return await Promise.all(those.map(async ([, { load }]) => await load()));
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
