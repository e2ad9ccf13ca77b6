/**
 * The protocol revisions: how a result is wrapped in each, which methods each has, and which one a request speaks. That is
 * decided per request: one process serves both eras and scripts at once.
 *
 * The handshake era is 2024-11-05 to 2025-11-25: a client begins with `initialize`, and results carry no extra members. A
 * script that never shakes hands gets the same shapes. https://modelcontextprotocol.io/specification/2025-11-25
 * The modern era is 2026-07-28: every request says which version it speaks and what its client can do, every result says
 * what it is. https://modelcontextprotocol.io/specification/2026-07-28
 */
import { failureText, isObject, type FailureData } from "../base/index.ts";
import type { ResultCounts, RpcProblem } from "../calls/index.ts";
import { RPC } from "../wire/index.ts";
import { isLogLevel, nameOf, SCRIPT, type About, type Capabilities, type ClientFacts } from "./about.ts";

type Meta = Readonly<Record<string, unknown>>;

/** What came of a call, free of any revision: members of a result as a worker made them, and what belongs into `_meta`. */
export interface Outcome {
  /** `"content":[...]`, without braces. */
  readonly members: string;
  readonly meta?: Meta;
  /** For the record and the budget: something was left out, and how many matches there are. */
  readonly isCut?: boolean;
  readonly matches?: number;
  /** For the observation: how it ended in a few words, how many results there are, and where the whole output is. */
  readonly said?: string | undefined;
  readonly counts?: ResultCounts | undefined;
  readonly ref?: string | undefined;
  /** For the record too: its caller left before the end, and this is what there was by then. */
  readonly isCancelled?: boolean;
  /** The members say `isError` beside an answer of its own: a program that was ended before its own end. */
  readonly isBroken?: boolean;
  /** What is so whatever room there is for the answer: no bound makes a failure of it. */
  readonly stands?: StandingChange | undefined;
}

/** A change that was made, a call that a person approved and that was made, or a proposal that was stored. */
export interface StandingChange {
  readonly status: "applied" | "proposed";
  /** The change, as it can be undone. */
  readonly transaction?: string | undefined;
  /** The proposal, as `ID@DIGEST`. */
  readonly proposal?: string | undefined;
}

/** Where clients and scripts look for it in `_meta`. */
export const FAILURE_KEY = "dev.ringfence/failure";

/** A failure of a tool is a result that the model can read and act on, not a protocol error. */
export function failureOutcome(data: FailureData): Outcome {
  const content = JSON.stringify([{ type: "text", text: failureText(data) }]);
  return { members: `"content":${content},"isError":true`, meta: { [FAILURE_KEY]: data } };
}

export interface Revision {
  readonly name: "handshake" | "modern" | "script";
  /** The methods that the protocol core answers itself. */
  readonly methods: ReadonlySet<string>;
  /** Methods of a service that this revision does not have. */
  readonly without: ReadonlySet<string>;
  /** The result of a tool call, as JSON text. `ttlMs`: of a resource, how long it may be kept. */
  callResult(outcome: Outcome, ttlMs?: number): string;
  /** Any other result. `cacheable`: it is the same for everybody while the process lives; a number: for so many ms. */
  result(value: Meta, cacheable?: boolean | number): string;
}

const HANDSHAKE_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];

export const PREFIX = "io.modelcontextprotocol/";
export const TASKS: string = `${PREFIX}tasks`;
const VERSION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const CLIENT_KEY = `${PREFIX}clientInfo`;
const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
const SERVER_INFO_KEY = `${PREFIX}serverInfo`;
/** The keys of the modern era; other keys under the same prefix (related tasks, progress) are older and do not count. */
const ERA_KEYS: readonly string[] = [VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY];

const UNSUPPORTED_VERSION = -32022;
/** What a client sends is not sent back at any length. */
const MAX_SHOWN_VERSION = 40;
/** What we say of ourselves is fixed for the life of the process; an hour is as good as for ever. */
const TTL_MS = 3_600_000;

const handshakeRevision: Revision = {
  name: "handshake",
  methods: new Set(["initialize", "ping", "server/discover", "logging/setLevel"]),
  without: new Set(),
  callResult: ({ members, meta }) =>
    meta === undefined ? `{${members}}` : `{${members},"_meta":${JSON.stringify(meta)}}`,
  result: (value) => JSON.stringify(value),
};
export const scriptRevision: Revision = { ...handshakeRevision, name: "script" };

function createModernRevision({ server }: About): Revision {
  // A client may give every result to a model; what the server is, discovery tells once.
  const info = { [SERVER_INFO_KEY]: { name: server.name, version: server.version } };
  const infoMember = `"_meta":${JSON.stringify(info)}`;
  return {
    name: "modern",
    methods: new Set(["server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"]),
    without: new Set(["resources/subscribe", "resources/unsubscribe"]),
    callResult: ({ members, meta }, ttlMs) => {
      const cached = ttlMs === undefined ? "" : `,${JSON.stringify(cacheHints(ttlMs)).slice(1, -1)}`;
      const metaMember = meta === undefined ? infoMember : `"_meta":${JSON.stringify({ ...info, ...meta })}`;
      return `{"resultType":"complete",${members}${cached},${metaMember}}`;
    },
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

/** The client's version when it is known, else the newest that shakes hands. */
export function chooseVersion(asked: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === asked) ?? "2025-11-25";
}

export function initializeResult(asked: unknown, about: About): Meta {
  const { server, capabilities, instructions } = about;
  // Tasks as an extension are of the modern era.
  const { [TASKS]: _, ...extensions } = (capabilities["extensions"] ?? {}) as Capabilities;
  return {
    protocolVersion: chooseVersion(asked),
    capabilities: { ...capabilities, extensions },
    serverInfo: server,
    instructions,
  };
}

export function discoverResult({ server, capabilities, instructions }: About): Meta {
  return { supportedVersions: MODERN_VERSIONS, capabilities, instructions, _meta: { [SERVER_INFO_KEY]: server } };
}

export interface EraState {
  /** Who `initialize` was answered to in this process. */
  handshake: ClientFacts | undefined;
  readonly strict: boolean;
}

type Choice = { readonly revision: Revision; readonly client: ClientFacts } | { readonly problem: RpcProblem };

/** Chooses the revision of one request; nothing that came before makes a modern request anything else. */
export function createRevisionChooser(about: About): (method: string, params: Meta, state: EraState) => Choice {
  const modern = createModernRevision(about);
  return (method, params, state) => {
    const meta = params["_meta"];
    if (isModern(meta)) {
      const problem = checkModernMeta(meta);
      return problem ? { problem } : { revision: modern, client: modernClient(meta) };
    }
    if (state.handshake) return { revision: handshakeRevision, client: state.handshake };
    if (method === "initialize") return { revision: handshakeRevision, client: SCRIPT };
    return state.strict ? { problem: missing(VERSION_KEY, "string") } : { revision: scriptRevision, client: SCRIPT };
  };
}

function isModern(meta: unknown): meta is Meta {
  return typeof meta === "object" && meta !== null && ERA_KEYS.some((key) => Object.hasOwn(meta, key));
}

/** What every modern request must carry. `undefined` when all is there. */
function checkModernMeta(meta: Meta): RpcProblem | undefined {
  const { [VERSION_KEY]: version, [CAPABILITIES_KEY]: capabilities, [LOG_LEVEL_KEY]: level } = meta;
  if (typeof version !== "string") return missing(VERSION_KEY, "string");
  const requested = version.slice(0, MAX_SHOWN_VERSION);
  if (!MODERN_VERSIONS.includes(version))
    return {
      code: UNSUPPORTED_VERSION,
      message: `the protocol version ${requested} is not supported`,
      data: { supported: MODERN_VERSIONS, requested },
    };
  if (!isObject(capabilities)) return missing(CAPABILITIES_KEY, "object");
  if (level !== undefined && !isLogLevel(level))
    return { code: RPC.invalidParams, message: `params._meta["${LOG_LEVEL_KEY}"] is no log level` };
  return undefined;
}

/** What a request says of its client, whose `_meta` was checked. */
function modernClient(meta: Meta): ClientFacts {
  return {
    name: nameOf(meta[CLIENT_KEY]),
    version: meta[VERSION_KEY] as string,
    capabilities: meta[CAPABILITIES_KEY] as Capabilities,
    logLevel: meta[LOG_LEVEL_KEY] as ClientFacts["logLevel"],
  };
}

function missing(key: string, type: "string" | "object"): RpcProblem {
  return {
    code: RPC.invalidParams,
    message: `params._meta["${key}"] is missing, or no ${type}`,
    data: { missing: key, supported: MODERN_VERSIONS },
  };
}
