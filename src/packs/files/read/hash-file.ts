/**
 * Content hashes of files, for comparing without reading.
 */
import * as z from "zod";
import { failureFromData, failureText, limits } from "../../../base/index.ts";
import { defineTool, type ReadTool } from "../../../contract/index.ts";
import * as fields from "../../fields.ts";

export const hashFile: ReadTool = defineTool({
  name: "hash_file",
  title: "Hash files",
  summary:
    "Computes the sha256 (or sha1, md5, blake2b) of one or more files. The sha256 of a file is the hash that read_file shows and if_hash takes.",
  effect: "read",
  long: "bulk",
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z
      .strictObject({
        path: z.string().optional().describe("The file. Give this or paths."),
        paths: z.array(z.string()).max(1000).optional().describe("The files. Give this or path."),
        algorithm: z
          .enum(["sha256", "sha1", "md5", "blake2b"])
          .optional()
          .describe("blake2b is BLAKE2b-256. Default sha256."),
      })
      .refine(
        (input) => (input.path === undefined) !== ((input.paths?.length ?? 0) === 0),
        fields.rule("Give either path or paths."),
      ),
  output: () =>
    z.looseObject({
      hashes: z.array(
        z.looseObject({ path: z.string(), algorithm: z.string().optional(), hash: z.string().optional() }),
      ),
    }),
  access: (input) => pathsOf(input).map((path) => ({ path, mode: "read" as const })),
  parameterAliases: { files: "paths" },
  idempotent: true,
  async run(input, ctx) {
    const { hashes } = await ctx.files.hash({
      paths: pathsOf(input),
      algorithm: input.algorithm ?? "sha256",
    });
    const failures = hashes.flatMap((one) => ("hash" in one ? [] : [one.failure]));
    const [failure] = failures;
    if (failure && failures.length === hashes.length) throw failureFromData(failure);
    const lines = hashes.map((one) =>
      "hash" in one ? `${one.hash}  ${one.path}` : `${one.path}: ${failureText(one.failure)}`,
    );
    return { text: lines.join("\n"), structured: { hashes } };
  },
});

function pathsOf(input: {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}): string[] {
  return input.path === undefined ? [...(input.paths ?? [])] : [input.path];
}
