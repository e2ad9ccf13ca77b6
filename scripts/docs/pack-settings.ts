/**
 * The settings of the packs of this program as the published schema and the page of the configuration show them. A file is held
 * to them when its packs are known, not when it is read: a program may bring packs of its own.
 */
import * as z from "zod/mini";
import { packSchema } from "../../src/config/parse/pack-settings.ts";
import { OPTIONAL_PACKS } from "../../src/packs/optional.ts";

/** @param file the schema of a file, in which every pack is any object */
export async function withPackSettings(file: z.ZodMiniObject): Promise<z.ZodMiniObject> {
  const { description = "" } = z.globalRegistry.get(file.shape["packs"] as z.core.$ZodType) ?? {};
  const packs = z.catchall(z.object(await settingsOfPacks()), z.record(z.string(), z.unknown()));
  return z.extend(file, { packs: z.optional(packs).check(z.describe(description)) });
}

async function settingsOfPacks(): Promise<Record<string, z.core.$ZodType>> {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, { plan, brings }] of Object.entries(OPTIONAL_PACKS)) {
    const { title, config } = await plan();
    const tools = Object.keys(brings()).filter((tool) => !tool.includes("."));
    shape[name] = z.optional(packSchema(config)).check(z.describe(`${title}: ${tools.join(", ")}.`));
  }
  return shape;
}
