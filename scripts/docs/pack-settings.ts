/**
 * The settings of the packs of this program as the published schema and the page of the configuration show them. A file is held
 * to them when its packs are known, not when it is read: a program may bring packs of its own.
 */
import * as z from "zod";
import { packSchema } from "../../src/config/parse/pack-settings.ts";
import { OPTIONAL_PACKS } from "../../src/packs/optional.ts";

/** @param file the schema of a file, in which every pack is any object */
export async function withPackSettings(file: z.ZodObject): Promise<z.ZodObject> {
  const { description = "" } = file.shape["packs"] as z.ZodType;
  const packs = z.object(await settingsOfPacks()).catchall(z.record(z.string(), z.unknown()));
  return file.extend({ packs: packs.optional().describe(description) });
}

async function settingsOfPacks(): Promise<Record<string, z.ZodType>> {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, { plan, brings }] of Object.entries(OPTIONAL_PACKS)) {
    const { title, config } = await plan();
    const tools = Object.keys(brings()).filter((tool) => !tool.includes("."));
    shape[name] = packSchema(config)
      .optional()
      .describe(`${title}: ${tools.join(", ")}.`);
  }
  return shape;
}
