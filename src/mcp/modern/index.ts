/**
 * The modern era: 2026-07-28. No handshake and no session: every request says which version it speaks and what its
 * client can do, every result says what it is. https://modelcontextprotocol.io/specification/2026-07-28
 */
import { RPC } from "../../wire/index.ts";
import type { About } from "../about.ts";
import { PREFIX } from "../client-facts.ts";
import { isLogLevel } from "../client-facts.ts";
import type { Revision } from "../revision.ts";

const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];
const VERSION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
const SERVER_INFO_KEY = `${PREFIX}serverInfo`;
const UNSUPPORTED_VERSION = -32022;
/** What a client sends is not sent back at any length. */
const MAX_SHOWN_VERSION = 40;
/** What we say of ourselves is fixed for the life of the process; an hour is as good as for ever. */
const TTL_MS = 3_600_000;

/** The keys of the modern era; other keys under the same prefix (related tasks, progress) are older and do not count. */
const ERA_KEYS: readonly string[] = [VERSION_KEY, CAPABILITIES_KEY, `${PREFIX}clientInfo`, LOG_LEVEL_KEY];

const METHODS: ReadonlySet<string> = new Set([
  "server/discover",
  "subscriptions/listen",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
]);
const WITHOUT: ReadonlySet<string> = new Set(["resources/subscribe", "resources/unsubscribe"]);

export interface MetaProblem {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function hasModernMeta(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  return meta !== undefined && ERA_KEYS.some((key) => Object.hasOwn(meta, key));
}

/** What every modern request must carry. `undefined` when all is there. */
export function checkModernMeta(meta: Readonly<Record<string, unknown>>): MetaProblem | undefined {
  const version = meta[VERSION_KEY];
  const capabilities = meta[CAPABILITIES_KEY];
  const level = meta[LOG_LEVEL_KEY];
  if (typeof version !== "string") return missing(VERSION_KEY, "string");
  if (!MODERN_VERSIONS.includes(version))
    return {
      code: UNSUPPORTED_VERSION,
      message: `the protocol version ${version.slice(0, MAX_SHOWN_VERSION)} is not supported`,
      data: { supported: MODERN_VERSIONS, requested: version.slice(0, MAX_SHOWN_VERSION) },
    };
  if (typeof capabilities !== "object" || capabilities === null || Array.isArray(capabilities))
    return missing(CAPABILITIES_KEY, "object");
  if (level !== undefined && !isLogLevel(level))
    return { code: RPC.invalidParams, message: `params._meta["${LOG_LEVEL_KEY}"] is no log level` };
  return undefined;
}

export function missingMeta(): MetaProblem {
  return missing(VERSION_KEY, "string");
}

export function createModernRevision({ server }: About): Revision {
  // A client may give every result to a model; what the server is, discovery tells once.
  const info = { [SERVER_INFO_KEY]: { name: server.name, version: server.version } };
  const infoMember = `"_meta":${JSON.stringify(info)}`;
  return {
    name: "modern",
    methods: METHODS,
    without: WITHOUT,
    callResult: ({ members, meta }, ttlMs) =>
      `{"resultType":"complete",${members}${cacheMembers(ttlMs)},${meta === undefined ? infoMember : `"_meta":${JSON.stringify({ ...info, ...meta })}`}}`,
    result: (value, cacheable) =>
      JSON.stringify({
        resultType: "complete",
        ...value,
        ...cacheHints(cacheable === true ? TTL_MS : cacheable),
        _meta: { ...info, ...(value["_meta"] as object | undefined) },
      }),
  };
}

function cacheHints(ttlMs: number | false | undefined): object {
  return ttlMs === undefined || ttlMs === false ? {} : { ttlMs, cacheScope: "private" };
}

function cacheMembers(ttlMs: number | undefined): string {
  return ttlMs === undefined ? "" : `,${JSON.stringify(cacheHints(ttlMs)).slice(1, -1)}`;
}

export function discoverResult({ server, capabilities, instructions }: About): Record<string, unknown> {
  const _meta = { [SERVER_INFO_KEY]: server };
  return { supportedVersions: MODERN_VERSIONS, capabilities, instructions, _meta };
}

function missing(key: string, type: "string" | "object"): MetaProblem {
  return {
    code: RPC.invalidParams,
    message: `params._meta["${key}"] is missing, or no ${type}`,
    data: { missing: key, supported: MODERN_VERSIONS },
  };
}
