/**
 * The settings of the packs of this program as the published schema and the page of the configuration show them. A file is held
 * to them when its packs are known, not when it is read: a program may bring packs of its own.
 */
import * as z from "zod/mini";
import { packSchema } from "../../src/config/parse/pack-settings.ts";
import { OPTIONAL_PACKS } from "../../src/packs/optional.ts";
import { PLANS } from "../../src/packs/plans.ts";

/** @param file the schema of a file, in which every pack is any object */
export function withPackSettings(file: z.ZodMiniObject): z.ZodMiniObject {
  const { description = "" } = z.globalRegistry.get(file.shape["packs"] as z.core.$ZodType) ?? {};
  const packs = z.catchall(z.object(settingsOfPacks()), z.record(z.string(), z.unknown()));
  return z.extend(file, { packs: z.optional(packs).check(z.describe(description)) });
}

function settingsOfPacks(): Record<string, z.core.$ZodType> {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, { brings }] of Object.entries(OPTIONAL_PACKS)) {
    const { title, config } = PLANS[name as keyof typeof PLANS];
    const tools = Object.keys(brings()).filter((tool) => !tool.includes("."));
    shape[name] = z.optional(packSchema(config)).check(z.describe(`${title}: ${tools.join(", ")}.`));
  }
  return shape;
}
