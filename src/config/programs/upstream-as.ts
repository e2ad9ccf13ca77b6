/**
 * `upstream.NAME.as`: tools of another server under names of ours or of a dialect, with arguments of other names. The names are the
 * operator's and stand in the configuration alone; what a server may be called by, it never says itself.
 */
import * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import type { UpstreamDeclaration } from "../../proc/index.ts";
import { described } from "../../contract/described.ts";
import { maybe } from "./field-kinds.ts";

/** As a tool is named, with dots where a dialect has them. */
const NAME = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/;
const MAX_NAME_CHARS = 31;
const MAX_ARGUMENTS = 64;

const argument = (): z.ZodMiniString => z.string().check(z.minLength(1), z.maxLength(200));

const ONE = z
  .strictObject({
    tool: described(z.string().check(z.minLength(1), z.maxLength(128)), "The tool, as the server calls it."),
    arguments: maybe(
      z.record(argument(), argument()).check(
        z.refine((all) => Object.keys(all).length <= MAX_ARGUMENTS, `at most ${MAX_ARGUMENTS} arguments`),
        z.refine((all) => new Set(Object.values(all)).size === Object.keys(all).length, "two lead to one argument"),
      ),
      "Its arguments by the names that callers use: theirs, then the server's. Default: all of the server's own.",
    ),
    with: maybe(
      z.record(argument(), z.union([z.string(), z.number(), z.boolean()])),
      "Arguments of the server that are always sent so, which no caller can give.",
    ),
  })
  .check(
    z.refine(
      ({ arguments: given = {}, with: fixed = {} }) =>
        Object.values(given).every((name) => !Object.hasOwn(fixed, name)),
      "what stands under with cannot be given by a caller",
    ),
  );

export const upstreamAsSchema: z.ZodMiniType<UpstreamDeclaration["as"]> = maybe(
  z.record(
    z
      .string()
      .check(z.maxLength(MAX_NAME_CHARS), z.regex(NAME, "a name is one of ours or of a dialect: web_search, k8s.logs")),
    ONE,
  ),
  "Its tools by other names, ours or those of a dialect, with other names of their arguments.",
);

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
