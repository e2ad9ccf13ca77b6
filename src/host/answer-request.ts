/**
 * One request to the JSON text of its result, by method. A method that its revision does not have does not exist.
 *
 * What a client needs to shake hands is answered here; everything that needs the tools waits for the pipeline, which is
 * loaded once and later than the handshake.
 */
import { discoverResult, initializeResult } from "../mcp/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import type * as pipelineModule from "./pipeline.ts";
import type { RequestContext } from "./session.ts";

type Pipeline = typeof pipelineModule;

let pipeline: Pipeline | Promise<Pipeline> | undefined;

/** Calls wait for one promise, so they go on in the order they came. */
export function loadPipeline(): Pipeline | Promise<Pipeline> {
  pipeline ??= import("./pipeline.ts").then((loaded) => {
    pipeline = loaded;
    return loaded;
  });
  return pipeline;
}

/** @throws RpcError */
export function answerRequest(request: Request, context: RequestContext): string | Promise<string> {
  const { method, params } = request;
  const { revision, about, state } = context;
  if (!revision.methods.has(method))
    throw new RpcError(RPC.methodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
  switch (method) {
    case "ping":
      return "{}";
    case "initialize":
      state.shookHands = true;
      return revision.result(initializeResult(params, about));
    case "server/discover":
      return revision.result(discoverResult(about), true);
    default: {
      const loaded = loadPipeline();
      if (loaded instanceof Promise) return loaded.then(({ answerMethod }) => answerMethod(request, context));
      return loaded.answerMethod(request, context);
    }
  }
}
