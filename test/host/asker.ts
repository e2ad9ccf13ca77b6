/**
 * A client that can ask its person, in any revision that has forms: the same test speaks to both eras.
 */
import { until } from "../waits/until.ts";
import {
  MODERN_META,
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type Members,
  type CallParams,
  type Json,
} from "./in-memory-host.ts";

const MODERN = "2026-07-28";
const CAPABILITIES = { elicitation: {} };

export interface Asker extends AsyncDisposable {
  readonly host: TestHost;
  /** Calls, and waits for the form. */
  readonly ask: (
    call: CallParams,
  ) => Promise<{ readonly form: Json; readonly answer: (given: unknown) => Promise<Json> }>;
  /** Calls, and expects no question. */
  readonly call: (call: CallParams) => Promise<Json>;
  /** The next question of the handshake era. */
  readonly question: () => Promise<Json>;
  /** The params of a modern call by this client. */
  readonly withCapabilities: (call: CallParams) => CallParams;
}

export async function openAsker(version: string, options: TestHostOptions): Promise<Asker> {
  const host = openTestHost(options);
  const isModern = version === MODERN;
  if (!isModern)
    await host.request("initialize", {
      protocolVersion: version,
      capabilities: CAPABILITIES,
      clientInfo: { name: "test", version: "1" },
    });
  let answered = 0;

  const withCapabilities = (call: CallParams): CallParams => ({
    ...call,
    _meta: {
      ...MODERN_META,
      ...call._meta,
      "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
    },
  });

  async function question(): Promise<Json> {
    const next = await until("the person to be asked", () => questionsOf(host)[answered]);
    answered++;
    return next;
  }

  async function askModern(call: CallParams): Promise<Json> {
    const params = withCapabilities(call);
    const { result } = await host.request("tools/call", params);
    if (result.resultType !== "input_required") throw new Error(`the person was not asked: ${JSON.stringify(result)}`);
    const { inputRequests, requestState } = result;
    return {
      form: inputRequests.approval.params,
      answer: async (given: unknown) => {
        const again = { ...params, requestState, inputResponses: { approval: given } };
        return (await host.request("tools/call", again)).result;
      },
    };
  }

  async function askHandshake(call: CallParams): Promise<Json> {
    const called = host.request("tools/call", call);
    const { id, params } = await question();
    return {
      form: params,
      answer: async (given: unknown) => {
        host.burst([{ jsonrpc: "2.0", id, result: given }]);
        return (await called).result;
      },
    };
  }

  return {
    host,
    question,
    withCapabilities,
    ask: async (call) => (isModern ? await askModern(call) : await askHandshake(call)),
    call: async (call) => (await host.request("tools/call", isModern ? withCapabilities(call) : call)).result,
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };
}

function questionsOf(host: TestHost): Json[] {
  return host.messages.filter(({ method }) => method === "elicitation/create");
}

/** Reverses the order of the members of an object. */
export function turnedAround(value: Members): Members {
  return Object.fromEntries(Object.entries(value).reverse());
}
