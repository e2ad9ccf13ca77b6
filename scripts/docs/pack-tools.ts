/**
 * The tools of the packs of this program as the generated pages show them: with every tool and parameter that a configuration can
 * bring. Nothing is started for it.
 */
import { parsePackSettings } from "../../src/config/parse/pack-settings.ts";
import type { Tool } from "../../src/contract/index.ts";
import { OPTIONAL_PACKS } from "../../src/packs/optional.ts";

const PROGRAM: object = { program: "/usr/bin/program", args: ["{file}"] };

/** What brings all of a pack; `{}` for one that is not named. */
const SETTINGS: Readonly<Record<string, object>> = {
  git: { write: true },
  web: { methods: ["POST"], search: { backend: "searxng", url: "https://search.example" } },
  browser: { program: "/usr/bin/chromium" },
  objects: { stores: { art: { endpoint: "https://s3.example", region: "us-east-1", buckets: ["builds"] } } },
  k8s: { contexts: { stage: { server: "https://api.example:6443" } } },
  media: { ocr: PROGRAM, transcribe: PROGRAM, decode: PROGRAM },
};

export async function packTools(...names: readonly (keyof typeof OPTIONAL_PACKS)[]): Promise<readonly Tool[]> {
  const packs = await Promise.all(names.map(async (name) => await OPTIONAL_PACKS[name].load()));
  return packs.flatMap((pack) => pack.tools(parsePackSettings(pack, SETTINGS[pack.name] ?? {})));
}

/** The tools of every pack, in the order of `tools/list`. */
export async function allPackTools(): Promise<readonly Tool[]> {
  return await packTools(...(Object.keys(OPTIONAL_PACKS) as (keyof typeof OPTIONAL_PACKS)[]));
}
