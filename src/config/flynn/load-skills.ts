/**
 * Skills by their manifests: a folder with a folder for each skill, and in it a `manifest.json` whose `permissions` say which
 * tools, files and secrets a call of the skill may use. A manifest that is broken, or asks for what cannot be held, is named on
 * stderr and left out, so that the skill has no tools. Such a folder lies where no tool can write.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod/mini";
import { Failure, logLine } from "../../base/index.ts";
import type { Override } from "../../policy/index.ts";
import { parseReach } from "../../reach/index.ts";
import { toolsNamed } from "./flynn-names.ts";
import { parseForm } from "../parse/parse-form.ts";
import { parseText } from "../parse/parse-text.ts";

/** More than any manifest has. */
const MAX_BYTES: number = 1024 * 1024;
const MAX_SKILLS = 1000;

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(1000));
const globs = z
  .array(z.string().check(z.maxLength(4096), z.refine(isAbsolute, "it must be an absolute path")))
  .check(z.maxLength(1000));
const port = z.int().check(z.minimum(1), z.maximum(65_535));
const hosts = z.array(
  z.union([z.string(), z.strictObject({ host: z.string(), ports: z.optional(z.array(port).check(z.minLength(1))) })]),
);
const manifest = z.object({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  permissions: z.optional(
    z.strictObject({
      tool_groups: z.optional(names),
      tools: z.optional(names),
      fs: z.optional(z.strictObject({ read: z.optional(globs), write: z.optional(globs) })),
      net: z.optional(hosts),
      secrets: z.optional(names),
      execution_environment: z.optional(z.literal("sandbox")),
    }),
  ),
});

/** @throws Failure `not_found` for a folder that cannot be read */
export function readSkills(folder: string): Readonly<Record<string, Override>> {
  const found = new Map<string, Override>();
  for (const name of foldersIn(folder)) {
    try {
      const [skill, override] = readManifest(join(folder, name, "manifest.json"), name);
      if (found.has(skill)) throw new Error(`a skill named ${JSON.stringify(skill)} is there already`);
      if (override) found.set(skill, override);
      else logLine(`the skill ${JSON.stringify(skill)} has no permissions, and so no tools`);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown);
      logLine(`the skill ${JSON.stringify(name)} is left out: ${why}`);
    }
  }
  return Object.fromEntries(found);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, MAX_SKILLS);
  } catch {
    throw new Failure("not_found", `Cannot use the skills in "${folder}": it cannot be read`);
  }
}

function readManifest(path: string, folder: string): [skill: string, override: Override | undefined] {
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`its manifest has ${size} bytes, and ${MAX_BYTES} are the most`);
  const { name = folder, permissions } = parseForm(manifest, parseText(readFileSync(path, "utf8"), ".json", true));
  if (!permissions) return [name, undefined];
  const { tools, tool_groups = [], fs = {}, secrets = [], net = [] } = permissions;
  const override: Override = {
    tools: { allow: tools ? tools.flatMap(toolsNamed) : tool_groups },
    permissions: { read: fs.read ?? [], write: fs.write ?? [], secrets, net: entriesOf(net) },
  };
  return [name, override];
}

/** A host as our lists have it, or as Flynn's do, with its ports beside it. @throws Failure `invalid_input` for what is none */
function entriesOf(net: z.infer<typeof hosts>): readonly string[] {
  const entries = net.flatMap((one) => {
    if (typeof one === "string") return [one];
    const host = one.host.includes(":") && !one.host.startsWith("[") ? `[${one.host}]` : one.host;
    return one.ports?.map((number) => `${host}:${number}`) ?? [host];
  });
  return parseReach(entries).texts;
}
