/**
 * The keys that commands, hooks, the shell and other servers share: what a program is given, what its fence leaves it, and its
 * limits.
 */
import * as z from "zod";
import { Failure } from "../../base/index.ts";
import type { HookPrograms } from "../../proc/index.ts";
import { parseReach } from "../../reach/index.ts";
import { choice, flag, most, texts } from "./field-kinds.ts";

const paths = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z
    .array(z.string().regex(/^(?:\/|~\/)/, "it must begin with / or ~/"))
    .optional()
    .describe(`${what}: absolute, or below the user's home as ~/NAME.`);

type LimitKey = "timeout_ms" | "cpu_seconds" | "memory_mb" | "processes" | "file_mb";

export const programLimits: Readonly<Record<LimitKey, z.ZodOptional<z.ZodNumber>>> = {
  timeout_ms: most("After this it is ended. Default 120000.", 86_400_000),
  cpu_seconds: most("Seconds of processor time for each process. Default 3600."),
  memory_mb: most("Megabytes of data for each process. Default 8192."),
  processes: most("Processes at once. Default 512."),
  file_mb: most("Megabytes of one file that is written. Default 4096."),
};
export const network: z.ZodOptional<z.ZodType<NonNullable<HookPrograms["network"]>>> = z
  .union([
    z.enum(["none", "internet", "all"]),
    z.strictObject({
      reach: z
        .array(z.string())
        .superRefine(checkReach)
        .describe("host:port, host, *.suffix, *.suffix:port, or an address, with or without a port."),
      unix: flag("Unix sockets that have a path too. Default false."),
    }),
  ])
  .optional()
  .describe("none: no sockets; internet: without unix sockets; all; or a list of hosts. Default none.");
export const environment: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>> = z
  .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
  .optional()
  .describe("Variables besides PATH, LANG, HOME and TMPDIR of its own.");
export const inherit: z.ZodOptional<z.ZodArray<z.ZodString>> = texts(
  "Names of variables of the host that it gets too.",
);

type Reach = Required<Pick<HookPrograms, "environment" | "inherit" | "network" | "reads" | "writes">>;

/** What a command, a hook or another server is given, and what its fence leaves it. */
export const reach: { readonly [Key in keyof Reach]: z.ZodOptional<z.ZodType<Reach[Key]>> } = {
  environment,
  inherit,
  network,
  reads: paths("Paths outside the roots that it may read and run"),
  writes: paths("Paths outside the roots that it may change"),
};

export const sha256: z.ZodOptional<z.ZodString> = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .optional()
  .describe("The SHA-256 hash of the program. Another one is not started.");
export const home: z.ZodOptional<z.ZodEnum<{ own: "own"; user: "user" }>> = choice(
  ["own", "user"],
  "user: HOME is that of this user; the fence still decides what is there. Default own.",
);
function checkReach(entries: string[], context: z.RefinementCtx): void {
  try {
    parseReach(entries);
  } catch (thrown) {
    context.addIssue(thrown instanceof Failure ? thrown.message : String(thrown));
  }
}
