/**
 * The keys `upstream` and `upstream_reach` of the configuration, as schemas, and their resolution. Loaded only where one of
 * them stands.
 */
import * as z from "zod";
import { Failure } from "../base/index.ts";
import { refusedAddress, type UpstreamDeclaration, type UpstreamsConfig } from "../proc/index.ts";
import { commandFields, parseWith } from "./commands-config.ts";

/** `mcp_`, this, `_` and some of a tool's name must fit into the name of a tool. */
const NAME = /^[a-z][a-z0-9]{0,15}$/;

const SERVER = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .optional()
      .describe("A program that speaks MCP over stdio: an absolute path, or a name that is looked up once."),
    args: z.array(z.string()).optional().describe("Its arguments."),
    sha256: commandFields.sha256,
    environment: commandFields.environment,
    inherit: commandFields.inherit,
    home: commandFields.home,
    cwd: z.string().optional().describe("A directory in a root. Default: a temporary folder of its own."),
    roots: z
      .enum(["none", "read", "write"])
      .optional()
      .describe("What its fence leaves of the roots of this host. Default none."),
    network: commandFields.network,
    reads: commandFields.reads,
    writes: commandFields.writes,
    url: z
      .string()
      .optional()
      .describe("Instead of a command: streamable HTTP at this address, whose host is in upstream_reach."),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))
      .optional()
      .describe("Sent with every request; ${NAME} in a value stands for a variable of the environment."),
    read_tools: z
      .array(z.string().min(1))
      .optional()
      .describe(
        "Its tools that only read, by name or glob: they are not asked about. The others count as R4.",
      ),
    ...commandFields.limits,
    timeout_ms: z.number().int().min(1).max(3_600_000).optional().describe("For one call. Default 60000."),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    "it needs either command or url",
  )
  .refine(
    ({ url, args, roots, reads, writes, cwd, network }) =>
      url === undefined || ![args, roots, reads, writes, cwd, network].some((one) => one !== undefined),
    "with a url there is no program: args, roots, reads, writes, cwd and network mean nothing",
  );

export const upstreamSchema: z.ZodType<Readonly<Record<string, UpstreamDeclaration>>> = z.record(
  z.string().regex(NAME, "a server is named by 1 to 16 of a-z and 0-9"),
  SERVER,
);

export const upstreamReachSchema: z.ZodType<readonly string[]> = z.array(
  z
    .string()
    .regex(
      /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-fA-F:]+\](?::\d{1,5})?$/,
      "it is a host, as example.com or example.com:8443",
    ),
);

/** @throws Failure `invalid_input`, `denied` for an address that is not listed */
export function resolveUpstream(upstream: unknown, reach: unknown): UpstreamsConfig {
  const servers = parseWith(upstreamSchema, upstream ?? {}, "upstream", "docs/upstream.md");
  const hosts = parseWith(upstreamReachSchema, reach ?? [], "upstream_reach", "docs/upstream.md");
  for (const [name, { url }] of Object.entries(servers)) {
    const why = url === undefined ? undefined : refusedAddress(url, hosts);
    if (why === undefined) continue;
    throw new Failure("denied", `Cannot start: upstream.${name}.url may not be used: ${why}`, {
      hint: "List its host in upstream_reach of the configuration; plain http is for this machine alone.",
    });
  }
  return { servers, reach: hosts };
}
