/**
 * The keys that commands, hooks, the shell and other servers share: what a program is given, what its fence leaves it, and its
 * limits.
 */
import * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import type { HookPrograms } from "../../proc/index.ts";
import { parseReach } from "../../reach/index.ts";
import { described } from "../../contract/described.ts";
import { choice, flag, maybe, most, texts } from "./field-kinds.ts";

const paths = (what: string): z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> =>
  maybe(
    z.array(z.string().check(z.regex(/^(?:\/|~\/)/, "it must begin with / or ~/"))),
    `${what}: absolute, or below the user's home as ~/NAME.`,
  );

type LimitKey = "timeout_ms" | "cpu_seconds" | "memory_mb" | "processes" | "file_mb";

export const programLimits: Readonly<Record<LimitKey, z.ZodMiniOptional<z.ZodMiniNumberFormat>>> = {
  timeout_ms: most("After this it is ended. Default 120000.", 86_400_000),
  cpu_seconds: most("Seconds of processor time for each process. Default 3600."),
  memory_mb: most("Megabytes of data for each process. Default 8192."),
  processes: most("Processes at once. Default 512."),
  file_mb: most("Megabytes of one file that is written. Default 4096."),
};
export const network: z.ZodMiniOptional<z.ZodMiniType<NonNullable<HookPrograms["network"]>>> = maybe(
  z.union([
    z.enum(["none", "internet", "all"]),
    z.strictObject({
      reach: described(
        z.array(z.string()).check(z.superRefine(checkReach)),
        "host:port, host, *.suffix, *.suffix:port, or an address, with or without a port.",
      ),
      unix: flag("Unix sockets that have a path too. Default false."),
    }),
  ]),
  "none: no sockets; internet: without unix sockets; all; or a list of hosts. Default none.",
);
export const environment: z.ZodMiniOptional<z.ZodMiniRecord<z.ZodMiniString, z.ZodMiniString>> = maybe(
  z.record(z.string().check(z.regex(/^[A-Za-z_]\w*$/)), z.string()),
  "Variables besides PATH, LANG, HOME and TMPDIR of its own.",
);
export const inherit: z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniString>> = texts(
  "Names of variables of the host that it gets too.",
);

type Reach = Required<Pick<HookPrograms, "environment" | "inherit" | "network" | "reads" | "writes">>;

/** What a command, a hook or another server is given, and what its fence leaves it. */
export const reach: { readonly [Key in keyof Reach]: z.ZodMiniOptional<z.ZodMiniType<Reach[Key]>> } = {
  environment,
  inherit,
  network,
  reads: paths("Paths outside the roots that it may read and run"),
  writes: paths("Paths outside the roots that it may change"),
};

export const sha256: z.ZodMiniOptional<z.ZodMiniString> = maybe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
  "The SHA-256 hash of the program. Another one is not started.",
);
export const home: z.ZodMiniOptional<z.ZodMiniEnum<{ own: "own"; user: "user" }>> = choice(
  ["own", "user"],
  "user: HOME is that of this user; the fence still decides what is there. Default own.",
);
function checkReach(entries: string[], context: z.core.$RefinementCtx): void {
  try {
    parseReach(entries);
  } catch (thrown) {
    context.addIssue(thrown instanceof Failure ? thrown.message : String(thrown));
  }
}
