/**
 * From the address of a resource to the call that reads it: what `read_file` or `list_directory` would be asked, so that
 * rules, hooks, budget and record are the same, answered in the form of a resource.
 *
 * An output that was cut can be read whether or not there is a tool that reads files: it is a part of an answer.
 */
import { resolve } from "node:path";
import { failureText, type FailureData } from "../base/index.ts";
import type { Tool, Registry } from "../contract/index.ts";
import type { ResourceInput } from "../jobs/index.ts";
import type { Outcome, RequestContext } from "../mcp/index.ts";
import { callOf, dispatch, type Call, type CallPolicy, type Services } from "../pipeline/index.ts";
import { isInside, parseResourceUri, readName, rootUri, showName, type ResourceAddress } from "../scope/index.ts";
import { builtinTools } from "../packs/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";

/** JSON-RPC code of a resource that may not be read; the failure itself is the data. */
const FAILED = 1;

const READ_FILE = "read_file";
const LIST_DIRECTORY = "list_directory";

export function canRead(registry: Registry): boolean {
  return registry.get(READ_FILE) !== undefined;
}

export function canList(registry: Registry): boolean {
  return registry.get(LIST_DIRECTORY) !== undefined;
}

type What = Pick<Call, "name" | "arguments" | "job" | "tool">;

/** @throws RpcError -32602 for what is no address of a resource here */
export async function resourceCall(
  host: Services,
  uri: unknown,
  job: "resource" | "watch",
  begun?: (under: CallPolicy) => void,
): Promise<What & { readonly resource: ResourceInput }> {
  const address = parseResourceUri(uri);
  const path = address && pathOf(host, address);
  if (typeof uri !== "string" || !address || path === undefined) throw notThere(uri);
  const name = address.kind === "directory" ? LIST_DIRECTORY : READ_FILE;
  const tool = address.kind === "spill" ? readFile : (await host.registry()).get(name);
  if (!tool || (job === "watch" && address.kind === "directory")) throw notThere(uri);
  const resource = { uri, path };
  const wanted =
    job === "watch" ? { name: job, input: { resources: [resource] }, begun } : { name: job, input: resource, begun };
  return { name, arguments: { path }, job: wanted, tool, resource };
}

/** The call for a file by its path, as a caller names it. @throws RpcError -32602 for what is no file of a root */
export async function fileCall(host: Services, path: string): Promise<What> {
  const known = readName(path);
  const [first] = host.config.roots;
  const absolute = known === undefined || !first ? "" : resolve(first.path, known);
  const within = host.config.roots
    .map((root, index) => ({ index, path: root.path }))
    .filter((root) => absolute !== root.path && isInside(absolute, root.path))
    .sort((a, b) => b.path.length - a.path.length);
  const [root] = within;
  if (!root) throw notThere(path);
  const uri = rootUri(root.index, absolute.slice(root.path.length).replace(/^\/+/, ""));
  const what = await resourceCall(host, uri, "resource");
  // What the path means, with its links, is the scope's to say: the caller's own is read.
  return { ...what, arguments: { path }, job: { name: "resource", input: { uri, path } } };
}

const readFile: Tool | undefined = builtinTools.find((tool) => tool.name === READ_FILE);

function pathOf({ config }: Services, address: ResourceAddress): string | undefined {
  if (address.kind === "spill") return address.id;
  const root = config.roots[address.root];
  if (!root) return undefined;
  const { rel } = address;
  if (address.root > 0) return showName(rel === "" ? root.path : `${root.path}/${rel}`);
  return rel === "" ? "." : showName(rel.startsWith("~") ? `./${rel}` : rel);
}

/** The result of `resources/read`. @throws RpcError; InputRequired in the modern era */
export async function readResource(host: Services, request: Request, context: RequestContext): Promise<string> {
  const { uri } = request.params;
  const call = callOf(request, context, await resourceCall(host, uri, "resource"));
  return context.revision.callResult(succeeded(uri, await dispatch(host, call)), 0);
}

/** @throws RpcError for a failure: a resource has no result that says so */
export function succeeded(uri: unknown, outcome: Outcome): Outcome {
  const data = outcome.meta?.["dev.ringfence/failure"] as FailureData | undefined;
  if (!data) return outcome;
  if (data.code === "not_found" || data.code === "invalid_input") throw notThere(uri, data);
  throw new RpcError(FAILED, failureText(data), data);
}

export function notThere(uri: unknown, data?: FailureData): RpcError {
  // Never String(uri): a caller's object can have a "toString" that is no function.
  const shown = typeof uri === "string" ? uri.slice(0, 200) : "(no text)";
  const why = data ? `: ${failureText(data)}` : "";
  return new RpcError(RPC.invalidParams, `there is no resource ${JSON.stringify(shown)}${why}`, {
    uri: shown,
    ...data,
  });
}
