/**
 * What the host itself loads later than its start, in one list. Each function is a bundle of its own in the executable, and is
 * called where the need arises, so a client that only shakes hands pays for none of them. What a folder behind these loads later
 * still, it loads where that is used.
 *
 * Usual mistake: a static import of one of these in a file that every start loads; or `import()` of the face of a folder that the workers
 * load a part of, which makes one piece of all of it.
 */
import type * as dialects from "../dialects/index.ts";
import type * as methods from "../methods/index.ts";
import type { Pack } from "../contract/index.ts";
import type * as surfaces from "../surfaces/index.ts";
import type * as contract from "./tools/late-contract.ts";
import type * as packs from "../packs/late-packs.ts";
import type * as lateParts from "./late-parts.ts";
import type * as narrowRoots from "./narrow-roots.ts";

let parts: Promise<typeof lateParts> | undefined;

/** The schemas, and everything that runs a call. */
export async function loadLateParts(): Promise<typeof lateParts> {
  parts ??= import("./late-parts.ts");
  return await parts;
}

/** The registry of tools. */
export async function loadContract(): Promise<typeof contract> {
  return await import("./tools/late-contract.ts");
}

/** The packs of ringfence itself. */
export async function loadBuiltinPacks(): Promise<typeof packs> {
  return await import("../packs/late-packs.ts");
}

/** The tools of git, where a root is a work tree. */
export async function loadGit(): Promise<Pack> {
  const { OPTIONAL_PACKS } = await import("../packs/optional.ts");
  return await OPTIONAL_PACKS.git.load();
}

/** The tools under other names, where a dialect was chosen. */
export async function loadDialects(): Promise<typeof dialects> {
  return await import("../dialects/index.ts");
}

/** The methods `ringfence/*`. */
export async function loadMethods(): Promise<typeof methods> {
  return await import("../methods/index.ts");
}

/** Resources, prompts and completion. */
export async function loadSurfaces(): Promise<typeof surfaces> {
  return await import("../surfaces/index.ts");
}

/** The roots of a client, where it offers some. */
export async function loadNarrowRoots(): Promise<typeof narrowRoots> {
  return await import("./narrow-roots.ts");
}
