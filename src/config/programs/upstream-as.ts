/**
 * `upstream.NAME.as`: tools of another server under names of ours or of a dialect, with arguments of other names. The names are the
 * operator's and stand in the configuration alone; what a server may be called by, it never says itself.
 */
import * as z from "zod";
import { Failure } from "../../base/index.ts";
import type { UpstreamDeclaration } from "../../proc/index.ts";

/** As a tool is named, with dots where a dialect has them. */
const NAME = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/;
const MAX_NAME_CHARS = 31;
const MAX_ARGUMENTS = 64;

const argument = (): z.ZodString => z.string().min(1).max(200);

const ONE = z
  .strictObject({
    tool: z.string().min(1).max(128).describe("The tool, as the server calls it."),
    arguments: z
      .record(argument(), argument())
      .refine((all) => Object.keys(all).length <= MAX_ARGUMENTS, `at most ${MAX_ARGUMENTS} arguments`)
      .refine((all) => new Set(Object.values(all)).size === Object.keys(all).length, "two lead to one argument")
      .optional()
      .describe(
        "Its arguments by the names that callers use: theirs, then the server's. Default: all of the server's own.",
      ),
    with: z
      .record(argument(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe("Arguments of the server that are always sent so, which no caller can give."),
  })
  .refine(
    ({ arguments: given = {}, with: fixed = {} }) => Object.values(given).every((name) => !Object.hasOwn(fixed, name)),
    "what stands under with cannot be given by a caller",
  );

export const upstreamAsSchema: z.ZodType<UpstreamDeclaration["as"]> = z
  .record(
    z.string().max(MAX_NAME_CHARS).regex(NAME, "a name is one of ours or of a dialect: web_search, k8s.logs"),
    ONE,
  )
  .optional()
  .describe("Its tools by other names, ours or those of a dialect, with other names of their arguments.");

/** A name has one server. @throws Failure `conflict` */
export function refuseSameNames(servers: Readonly<Record<string, UpstreamDeclaration>>): void {
  const taken = new Map<string, string>();
  for (const [server, { as = {} }] of Object.entries(servers))
    for (const name of Object.keys(as)) {
      const plain = name.replaceAll(".", "_");
      const other = taken.get(plain);
      if (other !== undefined)
        throw new Failure("conflict", `Cannot start: upstream.${server}.as.${name} is the name of ${other} already`, {
          hint: "Dots and underscores are the same in a name. Give one of them another one.",
        });
      taken.set(plain, `upstream.${server}.as.${name}`);
    }
}
