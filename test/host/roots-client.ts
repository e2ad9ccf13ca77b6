/**
 * A client with roots for the in-memory host, and a workspace to narrow: it shakes hands, waits until it is asked, and
 * answers what a test says.
 */
import { expect } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "../waits/until.ts";
import type { FileTree } from "./file-tree.ts";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "./in-memory-host.ts";

export const FILES: FileTree = {
  "a.txt": "top\n",
  "sub/b.txt": "sub\n",
  "sub/deep/c.txt": "deep\n",
  "subway/d.txt": "d\n",
};

export interface RootsClient {
  /** The next `roots/list` that was not answered. */
  readonly asked: () => Promise<Json>;
  /** Answers it with these directories, relative to the root. */
  readonly offer: (...paths: string[]) => Promise<void>;
  readonly answer: (members: object) => Promise<void>;
  readonly changed: () => void;
}

export function notify(host: TestHost, method: string): void {
  host.burst([{ jsonrpc: "2.0", method }]);
}

/** Shakes hands as a client with these capabilities. */
export async function connect(host: TestHost, roots: object | null = { listChanged: true }): Promise<RootsClient> {
  let answered = 0;
  const requests = (): Json[] => host.messages.filter((message) => message.method === "roots/list");
  await host.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: roots ? { roots } : {},
    clientInfo: { name: "test", version: "1" },
  });
  notify(host, "notifications/initialized");
  const client: RootsClient = {
    async asked() {
      const next = await until("the host to ask for roots", () => requests()[answered]);
      answered++;
      return next;
    },
    async answer(members) {
      const { id } = await client.asked();
      host.burst([{ jsonrpc: "2.0", id, ...members }]);
    },
    async offer(...paths) {
      const uris = paths.map((path) => pathToFileURL(join(host.root, path)).href);
      await client.answer({ result: { roots: uris.map((uri) => ({ uri })) } });
    },
    changed: () => notify(host, "notifications/roots/list_changed"),
  };
  return client;
}

export function open(): TestHost {
  return openTestHost({ files: FILES });
}
export async function read(host: TestHost, path: string): Promise<CallAnswer> {
  return await host.call("read_file", { path });
}

/** Which of the files can be read. */
export async function reachable(host: TestHost): Promise<string[]> {
  const paths = ["a.txt", "sub/b.txt", "sub/deep/c.txt", "subway/d.txt"];
  const answers = await Promise.all(paths.map(async (path) => await read(host, path)));
  for (const { failure } of answers) expect([undefined, "outside_scope"]).toContain(failure?.code);
  return paths.filter((_, index) => !answers[index]?.failure);
}

export const ALL: string[] = ["a.txt", "sub/b.txt", "sub/deep/c.txt", "subway/d.txt"];
export const SUB: string[] = ["sub/b.txt", "sub/deep/c.txt"];
