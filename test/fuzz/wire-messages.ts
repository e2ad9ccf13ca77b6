/**
 * Messages of every kind that the host takes, and ways to break them: as bytes, as JSON, as the messages of a protocol.
 * A seed always gives the same lines.
 */
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

const CALLS: readonly (readonly [name: string, given: object])[] = [
  ["list_directory", { path: ".", recursive: true, limit: 5 }],
  ["read_file", { path: "a.txt", offset: 1, limit: 2, line_numbers: true }],
  ["read_files", { files: [{ path: "a.txt" }, { path: "b/c.txt", limit: 1 }] }],
  ["stat", { path: "a.txt", hash: true }],
  ["glob", { pattern: "**/*.txt" }],
  ["grep", { pattern: "o[nm]e", output: "content", context: 1 }],
  ["hash_file", { paths: ["a.txt", "b/c.txt"], algorithm: "sha256" }],
  ["tree", { path: ".", depth: 2 }],
  ["diff_files", { a: "a.txt", text: "other\n" }],
  ["system_info", {}],
  ["edit_file", { path: "a.txt", old_text: "one", new_text: "1" }],
  ["write_file", { path: "n.txt", content: "x" }],
  ["apply_patch", { patch: "*** Begin Patch\n*** Add File: z.txt\n+z\n*** End Patch\n" }],
];
const METHODS: readonly (readonly [method: string, params: object])[] = [
  ["initialize", { protocolVersion: "2025-11-25", capabilities: { roots: {}, elicitation: {} }, clientInfo: {} }],
  ["ping", {}],
  ["server/discover", {}],
  ["tools/list", { cursor: "tools-100" }],
  ["logging/setLevel", { level: "debug" }],
  ["resources/list", {}],
  ["resources/read", { uri: "ringfence://spill/spill_0000000000000000000000?offset=5" }],
  ["resources/read", { uri: "ringfence://root/0/a.txt?offset=1" }],
  ["resources/read", { uri: "ringfence://root/0/b/" }],
  ["resources/subscribe", { uri: "ringfence://root/0/b/c.txt" }],
  ["resources/unsubscribe", { uri: "ringfence://root/0/b/c.txt" }],
  ["prompts/get", { name: "explain_file", arguments: { path: "a.txt", question: "x" } }],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "ringfence://root/0/{+path}" },
      argument: { name: "path", value: "b/" },
    },
  ],
  ["ringfence/bridge/offer", { tools: [{ name: "space.x", inputSchema: { type: "object", properties: {} } }] }],
  ["tools/call", { name: "client_space_x", arguments: { a: 1 } }],
  ["subscriptions/listen", { notifications: { toolsListChanged: true, taskIds: ["x"] } }],
  ["tasks/get", { taskId: "task_0" }],
  ["tasks/update", { taskId: "task_0", inputResponses: {} }],
  ["ringfence/proposals/list", {}],
  ["ringfence/proposals/get", { id: "p_0000000000000000000000" }],
  ["ringfence/proposals/apply", { ids: ["p_0000000000000000000000"], hunks: { a: [1] } }],
  ["ringfence/proposals/reject", { id: "p_0000000000000000000000", reason: "r" }],
  ["ringfence/history/list", {}],
  ["ringfence/history/undo", { dry_run: true }],
  ["ringfence/policy/explain", { name: "grep", arguments: { pattern: "x" } }],
  ["tools/call", { name: "nothing", arguments: {} }],
  ...CALLS.map(([name, given]) => ["tools/call", { name, arguments: given }] as const),
];
const NOTES: readonly (readonly [method: string, params: object])[] = [
  ["notifications/initialized", {}],
  ["notifications/cancelled", { requestId: 5 }],
  ["notifications/roots/list_changed", {}],
  ["notifications/progress", { progressToken: 1, progress: 1 }],
];
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\u0000",
  "\ud800",
  "../..",
  "/etc/passwd",
  "x".repeat(5000),
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
];

export interface Random {
  /** From 0 to `below`, without it. */
  readonly int: (below: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** mulberry32: small, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return { int, pick: (list) => list[int(list.length)] as never };
}

/** One line without its newline; most are broken in some way. */
export function wireLine(random: Random): Uint8Array {
  const message = whole(random);
  const rounds = random.int(4);
  for (let round = 0; round < rounds; round++) breakJson(message, random);
  const text = random.int(50) === 0 ? JSON.stringify([message]) : JSON.stringify(message);
  return random.int(3) === 0 ? breakBytes(Buffer.from(text), random) : Buffer.from(text);
}

function whole(random: Random): object {
  const meta = random.pick([
    undefined,
    { ...MODERN },
    { ...MODERN, progressToken: random.int(9) },
    { progressToken: "t" },
  ]);
  const withMeta = (params: object): object => (meta ? { ...params, _meta: { ...meta } } : params);
  const kind = random.int(20);
  if (kind === 0) return { jsonrpc: "2.0", id: `ringfence-${random.int(50)}`, result: { roots: [] } };
  if (kind === 1) {
    const [method, params] = random.pick(NOTES);
    return structuredClone({ jsonrpc: "2.0", method, params });
  }
  const [method, params] = random.pick(METHODS);
  return structuredClone({ jsonrpc: "2.0", id: random.int(1_000_000), method, params: withMeta(params) });
}

/** Replaces, removes or renames one member somewhere. */
function breakJson(message: object, random: Random): void {
  let at = message as Record<string, unknown>;
  for (let depth = random.int(5); depth > 0; depth--) {
    const inner = Object.values(at).filter((value) => typeof value === "object" && value !== null);
    if (inner.length === 0) break;
    at = random.pick(inner) as Record<string, unknown>;
  }
  const keys = Object.keys(at);
  if (keys.length === 0) return;
  const key = random.pick(keys);
  switch (random.int(4)) {
    case 0:
      delete at[key];
      return;
    case 1:
      at[`${key}${random.pick(["x", " ", "\u0000"])}`] = at[key];
      return;
    default:
      // A copy: what breaks this message next must break no later one, and a value must not be put into itself.
      at[key] = structuredClone(random.pick(ODD));
  }
}

/** Never a newline: it would be two lines, one of them not counted. */
function breakBytes(bytes: Buffer, random: Random): Uint8Array {
  const at = random.int(bytes.length);
  const to = Math.min(bytes.length, at + 1 + random.int(40));
  switch (random.int(6)) {
    case 0:
      bytes[at] = random.pick([0, 0x22, 0x5c, 0x7b, 0x7d, 0x80, 0xff, 0x0d]);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes, Buffer.from("\r")]);
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from("[".repeat(random.int(300))), bytes.subarray(at)]);
  }
}
