/**
 * The official SDK's clients, each generation behind one small face, so that the same session is driven by all of them.
 * They are the referees: they validate every message, and structured results against the tools' output schemas.
 */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import type { CallResult } from "./serve-process.ts";

export interface ToolListing {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

export interface SdkClient extends AsyncDisposable {
  readonly instructions: string | undefined;
  listTools(): Promise<readonly ToolListing[]>;
  call(name: string, given: object): Promise<CallResult>;
  /** A method of ours. */
  request(method: string, params: object): Promise<CallResult>;
  /** What is there besides tools, by the client's own methods, which validate what comes. */
  listResources(): Promise<CallResult>;
  readResource(uri: string): Promise<CallResult>;
  listPrompts(): Promise<CallResult>;
  getPrompt(name: string, given: Record<string, string>): Promise<CallResult>;
  completePath(uri: string, value: string): Promise<readonly string[]>;
}

export interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const ME = { name: "ringfence-test", version: "1" };
const anyResult = z.looseObject({});

export const SDK_CLIENTS: readonly (readonly [string, (command: Command) => Promise<SdkClient>])[] = [
  ["SDK v1", connectFirst],
  ["SDK v2, handshake era", async (command) => await connectSecond(command, "legacy")],
  ["SDK v2, modern era", async (command) => await connectSecond(command, "modern")],
];

async function connectFirst(command: Command): Promise<SdkClient> {
  const client = new FirstClient(ME);
  await client.connect(new FirstTransport(command));
  return {
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given) => (await client.callTool({ name, arguments: { ...given } })) as CallResult,
    request: async (method, params) => await client.request({ method, params } as never, anyResult as never),
    ...surfacesOf(client as unknown as Surfaces),
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

async function connectSecond(command: Command, era: "legacy" | "modern"): Promise<SdkClient> {
  const mode = era === "modern" ? "auto" : "legacy";
  const client = new ModernClient(ME, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(command));
  const spoken = client.getProtocolEra();
  if (spoken !== era) throw new Error(`the client speaks the era ${spoken}, and should speak ${era}`);
  return {
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given) => (await client.callTool({ name, arguments: { ...given } })) as CallResult,
    request: async (method, params) => await client.request({ method, params: { ...params } }, anyResult),
    ...surfacesOf(client as unknown as Surfaces),
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

/** As far as both generations agree. */
interface Surfaces {
  listResources(): Promise<CallResult>;
  listResourceTemplates(): Promise<CallResult>;
  readResource(params: { uri: string }): Promise<CallResult>;
  listPrompts(): Promise<CallResult>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<CallResult>;
  complete(params: {
    ref: { type: "ref/resource"; uri: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
}

function surfacesOf(
  client: Surfaces,
): Pick<SdkClient, "listResources" | "readResource" | "listPrompts" | "getPrompt" | "completePath"> {
  return {
    listResources: async () => ({
      ...(await client.listResources()),
      ...(await client.listResourceTemplates()),
    }),
    readResource: async (uri) => await client.readResource({ uri }),
    listPrompts: async () => await client.listPrompts(),
    getPrompt: async (name, given) => await client.getPrompt({ name, arguments: given }),
    async completePath(uri, value) {
      const ref = { type: "ref/resource", uri } as const;
      return (await client.complete({ ref, argument: { name: "path", value } })).completion.values;
    },
  };
}
