/**
 * The tools of the packs of this program as the generated pages show them: with every tool and parameter that a configuration can
 * bring. Nothing is started for it.
 */
import type { Tool } from "../../src/contract/index.ts";
import { optionalPacks } from "../../src/packs/index.ts";

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

export function packTools(...names: readonly string[]): readonly Tool[] {
  return names.flatMap((name) => {
    const pack = optionalPacks.find((one) => one.name === name);
    if (!pack) throw new Error(`there is no pack ${name}`);
    return pack.tools(pack.config.parse(SETTINGS[name] ?? {}));
  });
}
