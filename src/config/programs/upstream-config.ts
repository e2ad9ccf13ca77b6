/**
 * The keys `upstream` and `upstream_reach` of the configuration as schemas: what is accepted and what each key means. Loaded only
 * where one of them stands.
 */
import * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import { refusedAddress, type UpstreamDeclaration, type UpstreamsConfig } from "../../proc/index.ts";
import { parseWith } from "../parse/parse-with.ts";
import { refuseSameNames, upstreamAsSchema } from "./upstream-as.ts";
import { choice, filled, maybe, most, names, text, texts } from "./field-kinds.ts";
import { home, programLimits, reach, sha256 } from "./program-fields.ts";

/** `mcp_`, this, `_` and some of a tool's name must fit into the name of a tool. */
const SERVER_NAME = /^[a-z][a-z0-9_-]{0,15}$/;

/** The keys that mean nothing for a server at an address. */
const OF_PROGRAMS = ["args", "roots", "reads", "writes", "cwd", "network"] as const;

const SERVER = z
  .strictObject({
    command: maybe(
      filled(),
      "A program that speaks MCP over stdio: an absolute path, or a name that is looked up once.",
    ),
    args: texts("Its arguments."),
    sha256,
    home,
    ...reach,
    cwd: text("A directory in a root. Default: a temporary folder of its own."),
    roots: choice(["none", "read", "write"], "What its fence leaves of the roots of this host. Default none."),
    url: text("Instead of a command: streamable HTTP at this address, whose host is in upstream_reach."),
    headers: maybe(
      z.record(z.string().check(z.regex(/^[A-Za-z0-9-]+$/)), z.string().check(z.regex(/^[\t\x20-\x7e]*$/))),
      "Sent with every request; ${NAME} in a value stands for a variable of the environment.",
    ),
    read_tools: names("Its tools that only read, by name or glob: they are not asked about. The others count as R4."),
    as: upstreamAsSchema,
    ...programLimits,
    timeout_ms: most("For one call. Default 60000.", 3_600_000),
  })
  .check(
    z.refine(({ command, url }) => (command === undefined) !== (url === undefined), "it needs either command or url"),
    z.refine(
      (server) => server.url === undefined || OF_PROGRAMS.every((key) => server[key] === undefined),
      "with a url there is no program: args, roots, reads, writes, cwd and network mean nothing",
    ),
  );

export const upstreamSchema: z.ZodMiniType<Readonly<Record<string, UpstreamDeclaration>>> = z.record(
  z.string().check(z.regex(SERVER_NAME, "a server is named by 1 to 16 of a-z, 0-9, _ and -")),
  SERVER,
);

export const upstreamReachSchema: z.ZodMiniType<readonly string[]> = z.array(
  z
    .string()
    .check(
      z.regex(
        /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-fA-F:]+\](?::\d{1,5})?$/,
        "it is a host, as example.com or example.com:8443",
      ),
    ),
);

/**
 * The tools of a server begin with its name, and rules go by that: `mcp_git_*` must not mean the tools of `git_hub` as well.
 * @throws Failure `conflict`
 */
function refuseSamePrefix(servers: readonly string[]): void {
  for (const [index, server] of servers.entries()) {
    const other = servers.find((one, at) => at !== index && prefixOf(server).startsWith(prefixOf(one)));
    if (other === undefined) continue;
    throw new Failure(
      "conflict",
      `Cannot start: upstream.${server} may not stand beside upstream.${other}: a rule for the tools of "${other}" would hold for those of "${server}"`,
      { hint: "Give one of them a name that does not begin like the other." },
    );
  }
}

function prefixOf(server: string): string {
  return `${server.replaceAll("-", "_")}_`;
}

/** @throws Failure `invalid_input`, `denied` for an address that is not listed */
export function resolveUpstream(upstream: unknown, reached: unknown): UpstreamsConfig {
  const servers = parseWith(upstreamSchema, upstream ?? {}, "upstream", "docs/upstream.md");
  refuseSamePrefix(Object.keys(servers));
  refuseSameNames(servers);
  const hosts = parseWith(upstreamReachSchema, reached ?? [], "upstream_reach", "docs/upstream.md");
  for (const [name, { url }] of Object.entries(servers)) {
    const why = url === undefined ? undefined : refusedAddress(url, hosts);
    if (why === undefined) continue;
    throw new Failure("denied", `Cannot start: upstream.${name}.url may not be used: ${why}`, {
      hint: "List its host in upstream_reach of the configuration; plain http is for this machine alone.",
    });
  }
  return { servers, reach: hosts };
}
