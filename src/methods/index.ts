/**
 * The methods `ringfence/*`: what the agent's runtime or a person calls, never the model, so they are methods and not tools.
 * Each stands in its file with its parameters, its place in the order, its work and its words (`define-method.ts`); this is
 * the table of all. It is loaded with the first call of a method, because it brings their schemas. It may import `calls`,
 * `base`, `text`, `approval`, `state`, `wire`, `policy`, `audit`, `contract`, `mcp`, `session` and `pipeline`.
 */
import type { MethodName, MethodParams, MethodResults } from "../calls/index.ts";
import type { Services } from "../pipeline/index.ts";
import { RPC, RpcError } from "../wire/index.ts";
import { bridgeMethods } from "./bridge.ts";
import type { Method, MethodCaller } from "./define-method.ts";
import { eventMethods } from "./events.ts";
import { explainMethod } from "./explain.ts";
import { grantMethods } from "./grants.ts";
import { historyMethods } from "./history.ts";
import { proposalMethods } from "./proposals.ts";
import { spaceMethods } from "./spaces.ts";

export { describeParam, paramsSchema, type Method } from "./define-method.ts";

/** In the order of docs/methods.md. */
export const methods: readonly Method[] = [
  ...proposalMethods,
  ...historyMethods,
  explainMethod,
  ...grantMethods,
  ...bridgeMethods,
  ...spaceMethods,
  ...eventMethods,
];

/** @throws RpcError -32601 for a name that no method has, and Failure */
export async function answerRequest(
  host: Services,
  name: string,
  params: Readonly<Record<string, unknown>>,
  caller: MethodCaller,
): Promise<object> {
  const method = methods.find((one) => one.name === name);
  if (!method) throw new RpcError(RPC.methodNotFound, `there is no method ${JSON.stringify(name.slice(0, 100))}`);
  return await method.call(host, params, caller);
}

/** Calls a method from inside this program. @throws Failure */
export async function callMethod<Name extends MethodName>(
  host: Services,
  name: Name,
  params: MethodParams[Name],
  caller: MethodCaller,
): Promise<MethodResults[Name]> {
  return (await answerRequest(host, name, params, caller)) as MethodResults[Name];
}
