/**
 * Values that no caller should send, in the place of every parameter of every method and every argument of every tool, at
 * the executable: each is answered, none of them with an internal error, and the host lives on. Objects whose `toString` or
 * `valueOf` is no function break whatever makes a text or a number of them unasked.
 */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type ListedTool, type Schema, type WireMessage } from "./serve-process.ts";

/** As JSON text, because a literal `__proto__` would be no member. The first ones are of no type that any parameter has. */
const BROKEN_OBJECTS = ['{"toString":1}', '{"valueOf":1}', '{"toString":null,"valueOf":{}}'];
const ODD: readonly string[] = [
  ...BROKEN_OBJECTS,
  '{"__proto__":null}',
  '{"__proto__":{"toString":1}}',
  '{"constructor":1,"length":1e9}',
  '{"toJSON":1,"then":1}',
  '[{"toString":1}]',
  '[[["a"]]]',
  '{"length":-1}',
  "{}",
  "[]",
  "null",
  "true",
  "-1e308",
  "0.5",
  "12345678901234567890",
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  JSON.stringify("x".repeat(100_000)),
];

const FILE = "ringfence://root/0/a.txt";
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const METHODS: readonly (readonly [method: string, params: object])[] = [
  ["ringfence/bridge/offer", { tools: [{ name: "a.b", inputSchema: { properties: { a: { enum: ["a"] } } } }] }],
  ["ringfence/bridge/tools", {}],
  ["tools/list", { cursor: "tools-100" }],
  ["tools/call", { name: "stat", arguments: { path: "a.txt" }, _meta: { progressToken: "a" } }],
  ["resources/list", { cursor: "resources-100" }],
  ["resources/templates/list", { cursor: "x" }],
  ["resources/read", { uri: FILE }],
  ["resources/subscribe", { uri: FILE }],
  ["resources/unsubscribe", { uri: FILE }],
  ["prompts/list", { cursor: "x" }],
  ["prompts/get", { name: "explain_file", arguments: { path: "a.txt", question: "x" } }],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "ringfence://root/0/{+path}" },
      argument: { name: "path", value: "b/" },
      context: { arguments: { a: "b" } },
    },
  ],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "explain_file" }, argument: { name: "path", value: "b" } },
  ],
  ["completion/complete", { ref: { type: "ref/tool", name: "read_file" }, argument: { name: "path", value: "a" } }],
  ["logging/setLevel", { level: "debug" }],
  ["ringfence/proposals/list", {}],
  ["ringfence/proposals/get", { id: "p_x" }],
  ["ringfence/proposals/apply", { id: "p_x", files: ["a.txt"], hunks: { "a.txt": [1] } }],
  ["ringfence/proposals/apply", { ids: ["p_x"] }],
  ["ringfence/proposals/apply", { request: 5 }],
  ["ringfence/proposals/reject", { id: "p_x", reason: "no" }],
  ["ringfence/history/list", { check: true }],
  ["ringfence/history/undo", { transaction: "t_x", dry_run: true }],
  ["ringfence/policy/explain", { name: "stat", arguments: { path: "a.txt" } }],
  ["ringfence/grants/list", {}],
  ["ringfence/grants/add", { rule: "read_file", remember: "session" }],
  ["ringfence/grants/revoke", { id: "g" }],
  ["ringfence/events/subscribe", {}],
  ["tasks/get", { taskId: "t" }],
  ["tasks/cancel", { taskId: "t" }],
  ["resources/read", { uri: FILE, _meta: MODERN, requestState: "x", inputResponses: { a: { content: {} } } }],
];

/** Where a text must stand: no object makes sense there. */
const TEXTS =
  /^(?:uri|name|cursor|id|ids\.0|rule|reason|level|transaction|ref\.(?:type|name|uri)|argument\.(?:name|value)|context\.arguments\.a|arguments\.(?:path|question))$/;

interface Sent {
  readonly what: string;
  readonly isRefused: boolean;
  readonly body: string;
}

test("no value of any parameter of any method is an internal error", async () => {
  const cases = METHODS.flatMap(([method, params]) =>
    placesIn(params).flatMap((at) =>
      ODD.map((odd) => ({
        what: `${method} ${at.join(".")} ${odd.slice(0, 60)}`,
        isRefused: BROKEN_OBJECTS.includes(odd) && TEXTS.test(at.join(".")) && !method.startsWith("tasks/"),
        body: `"method":"${method}","params":${withOdd(params, at, odd)}`,
      })),
    ),
  );
  await sendAll(() => cases);
});

test("no value of any argument of any tool is an internal error", async () => {
  await sendAll((tools) =>
    tools.flatMap(({ name, inputSchema }) => {
      const whole = { arguments: sampleOf(inputSchema) };
      return placesIn(whole)
        .filter((at) => at.length > 0)
        .flatMap((at) =>
          ODD.map((odd) => ({
            what: `${name} ${at.join(".")} ${odd.slice(0, 60)}`,
            isRefused: BROKEN_OBJECTS.includes(odd) && at.length === 2 && !takesObject(inputSchema, at[1]),
            body: `"method":"tools/call","params":{"name":"${name}",${withOdd(whole, at, odd).slice(1)}`,
          })),
        );
    }),
  );
});

test("a completion that is cancelled on the way is no internal error", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
  await using host = await ServeProcess.start(place);
  for (let id = 1; id <= 200; id++) {
    host.request(id, "completion/complete", {
      ref: { type: "ref/tool", name: "read_file" },
      argument: { name: "path", value: "a" },
    });
    host.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  }
  await host.close();
  expect(await host.stderr).toBe("");
  expect(host.messages.filter(({ error }) => error?.code === -32603)).toEqual([]);
});

const AT_ONCE = 40;

async function sendAll(make: (tools: readonly ListedTool[]) => readonly Sent[]): Promise<void> {
  using place = new Place();
  mkdirSync(join(place.root, "b"));
  writeFileSync(join(place.root, "a.txt"), "one\n");
  const config = join(place.path, "config.json");
  const echo = {
    description: "x",
    program: "/bin/echo",
    args: ["{x}"],
    parameters: { x: { type: "string" } },
  };
  writeFileSync(config, JSON.stringify({ shell: { enabled: true }, commands: { echo } }));
  const more = process.platform === "linux" ? ["--config", config] : [];
  await using host = await ServeProcess.start(place, { args: more });
  const found: string[] = [];
  // A first look at the tools would fix those of the client.
  const all = make.length === 0 ? make([]) : make(await toolsOf(host));
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const part = all.slice(at, at + AT_ONCE);
    for (const [n, { body }] of part.entries()) host.send(`{"jsonrpc":"2.0","id":${at + n + 10},${body}}\n`);
    for (const [n, { what, isRefused }] of part.entries()) {
      const code = codeOf(await host.answer(at + n + 10));
      const isFine = isRefused ? REFUSALS.has(code) : !BUGS.has(code);
      if (!isFine) found.push(`${what}: ${String(code)}`);
    }
  }
  expect(found).toEqual([]);
  expect((await host.ask("alive", "ping")).result).toEqual({});
  await host.close();
  expect(await host.stderr).not.toContain("internal error");
}

const REFUSALS: ReadonlySet<unknown> = new Set([-32602, "invalid_input"]);
const BUGS: ReadonlySet<unknown> = new Set([-32603, "internal"]);

/** The code of the failure, or that of the JSON-RPC error; "ok" for a result. */
function codeOf({ error, result }: WireMessage): unknown {
  const data = error?.data as { code?: unknown } | undefined;
  const failure = result?.["_meta"]?.["dev.ringfence/failure"] as { code?: unknown } | undefined;
  return error?.code === -32602 ? error.code : (data?.code ?? error?.code ?? failure?.code ?? "ok");
}

async function toolsOf(host: ServeProcess): Promise<readonly ListedTool[]> {
  return (await host.ask("tools", "tools/list")).result?.tools ?? [];
}

type Path = readonly (string | number)[];

function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}

const HOLE = "a hole for another value";

function withOdd(value: object, at: Path, odd: string): string {
  if (at.length === 0) return odd.startsWith("{") ? odd : `{"_":${odd}}`;
  const copy = structuredClone(value);
  let inner = copy as Record<string | number, unknown>;
  for (const name of at.slice(0, -1)) inner = inner[name] as Record<string | number, unknown>;
  inner[at.at(-1) ?? ""] = HOLE;
  return JSON.stringify(copy).replace(JSON.stringify(HOLE), () => odd);
}

function takesObject(schema: Schema, name: unknown): boolean {
  return schema.properties?.[String(name)]?.type === "object";
}

/** Something that fits a schema well enough to get as far as its members. */
function sampleOf(schema: Schema, depth = 0): unknown {
  if (depth > 4) return "a";
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {}, depth + 1);
  switch ([schema.type].flat()[0] ?? "") {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one, depth + 1)]),
      );
    case "array":
      return [sampleOf(schema.items ?? {}, depth + 1)];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return "a.txt";
  }
}
