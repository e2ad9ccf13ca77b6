/**
 * Resources: their lists, and from the address of one to the call that reads it: what `read_file` or `list_directory` would be
 * asked, so that rules, hooks, budget and record are the same, answered in the form of a resource.
 *
 * Listed are the roots, as directories, the files on their first level, and the outputs of this process that were cut. Other
 * files are not listed, there may be a million: a directory is read, or a path completed. An output that was cut can be read
 * whether or not there is a tool that reads files: it is a part of an answer.
 */
import { basename, resolve } from "node:path";
import { failureText, type FailureData } from "../base/index.ts";
import type { Tool } from "../contract/index.ts";
import type { ResourceInput, Ruling } from "../jobs/index.ts";
import { FAILURE_KEY, showsViews, type Outcome, type RequestContext } from "../mcp/index.ts";
import { builtinTools } from "../packs/index.ts";
import { callOf, dispatch, narrowCall, readJob, type Call, type CallPolicy, type Services } from "../pipeline/index.ts";
import {
  isInside,
  parseResourceUri,
  readName,
  rootUri,
  showName,
  spillUri,
  type ResourceAddress,
} from "../scope/index.ts";
import { toolFacts } from "../session/index.ts";
import { invalidParams, RpcError, type Request } from "../wire/index.ts";
import { count } from "../text/index.ts";
import { PROPOSAL_VIEW, readClientView } from "./client-view.ts";

/** A request for something besides tools, on one host. */
export interface SurfaceRequest {
  readonly host: Services;
  readonly request: Request;
  readonly context: RequestContext;
}

/** JSON-RPC code of a resource that may not be read; the failure itself is the data. */
const FAILED = 1;

const READ_FILE = "read_file";
const LIST_DIRECTORY = "list_directory";

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
  if (typeof uri !== "string") throw invalidParams("params.uri must be a string: the address of a resource");
  if (!address || path === undefined) throw notThere(uri);
  const name = address.kind === "directory" ? LIST_DIRECTORY : READ_FILE;
  const tool = address.kind === "spill" ? readFile : (await host.registry()).get(name);
  if (!tool) throw notThere(uri);
  if (job === "watch" && address.kind === "directory")
    throw invalidParams("a directory is read and not watched: subscribe to its files, each by its own address", {
      uri,
    });
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
  return rel === "" ? "." : showName(rel);
}

/** The result of `resources/read`. @throws RpcError; InputRequired in the modern era */
export async function readResource({ host, request, context }: SurfaceRequest): Promise<string> {
  const { uri } = request.params;
  if (uri === PROPOSAL_VIEW && showsViews(context.client.capabilities)) return await readClientView(context);
  const what = await resourceCall(host, uri, "resource");
  const outcome = await dispatch(host, callOf(request, context, what));
  return context.revision.callResult(succeeded(what.resource.uri, outcome), 0);
}

/** @throws RpcError for a failure: a resource has no result that says so */
export function succeeded(uri: string, outcome: Outcome): Outcome {
  const data = outcome.meta?.[FAILURE_KEY] as FailureData | undefined;
  if (!data) return outcome;
  if (data.code === "not_found" || data.code === "invalid_input") throw notThere(uri, data);
  throw new RpcError(FAILED, failureText(data), data);
}

export function notThere(uri: string, data?: FailureData): RpcError {
  const shown = uri.slice(0, 200);
  const why = data ? `: ${failureText(data)}` : "";
  return invalidParams(`there is no resource ${JSON.stringify(shown)}${why}`, {
    uri: shown,
    ...data,
  });
}

type Members = Readonly<Record<string, unknown>>;

const PAGE_SIZE = 100;
/** Each is a template of its own, because a path is completed within one root. */
const MAX_TEMPLATES = 32;

/** What changes with the calls is not to be kept. @throws RpcError -32602 for a cursor that was not given here */
export async function listResources(asked: SurfaceRequest): Promise<string> {
  const { host, request, context } = asked;
  const { cursor } = request.params;
  const registry = await host.registry();
  const roots = registry.get(LIST_DIRECTORY) ? rootResources(host) : [];
  const all = [...roots, ...(await fileResources(asked, roots)), ...spilledResources(host)];
  const start = cursor === undefined ? 0 : readCursor(cursor);
  if (start === undefined) throw invalidParams("params.cursor is not one that this server gave");
  const end = start + PAGE_SIZE;
  const more = end < all.length ? { nextCursor: `resources-${end}` } : {};
  return context.revision.result({ resources: all.slice(start, end), ...more }, 0);
}

/** @throws RpcError -32602 for any cursor: there is one page */
export async function listTemplates({ host, request, context }: SurfaceRequest): Promise<string> {
  if (request.params["cursor"] !== undefined) throw invalidParams("params.cursor is not one that this server gave");
  const registry = await host.registry();
  const reader = host.dialect?.nameOf("read_file") ?? "read_file";
  const roots = registry.get(READ_FILE) ? host.config.roots.slice(0, MAX_TEMPLATES) : [];
  const files = roots.map(({ path }, index) => ({
    uriTemplate: `${rootUri(index, "")}{+path}`,
    name: `files of ${showName(basename(path) || path)}`,
    description: `A file in ${showName(path)}, as ${reader} reads it; with a slash at its end, a directory. ?offset=LINE goes on.`,
  }));
  const spilled = {
    uriTemplate: `${spillUri("{id}")}{?offset}`,
    name: "spilled output",
    description: "The whole of an output that was cut; its id is in the link of that result. Offset in bytes.",
    mimeType: "text/plain",
  };
  return context.revision.result({ resourceTemplates: [...files, spilled] }, true);
}

interface RootResource extends Members {
  readonly uri: string;
}

function rootResources({ config, narrowed }: Services): RootResource[] {
  return config.roots.flatMap(({ path, readOnly }, index) => {
    const kept = narrowed.within?.filter((directory) => isInside(directory, path)) ?? [path];
    return kept.map((directory) => ({
      uri: rootUri(index, directory === path ? "" : `${directory.slice(path.length).replace(/^\/+/, "")}/`),
      name: showName(basename(directory) || directory),
      description: `${showName(directory)} (${readOnly ? "read-only" : "read-write"})`,
      mimeType: "inode/directory",
    }));
  });
}

/** Files of one directory that are listed; more are found by reading it. */
const MAX_FILES = 100;
/** Each is looked at for every page. */
const MAX_LOOKED_AT = 32;

/** As `list_directory` names them and `read_file` may read them. On record, as any look is. */
async function fileResources(asked: SurfaceRequest, roots: readonly RootResource[]): Promise<readonly Members[]> {
  const { host, request, context } = asked;
  const rules = await listingRules(asked, "read_file");
  if (!rules) return [];
  const files = await Promise.all(
    roots.slice(0, MAX_LOOKED_AT).map(async ({ uri }): Promise<readonly Members[]> => {
      const { resource } = await resourceCall(host, uri, "resource");
      const how = { under: rules.list, signal: context.signal };
      return await readJob(host, "first_files", { ...resource, of: rules.of, most: MAX_FILES }, how);
    }),
  );
  const all = files.flat();
  host.audit.record("listed_files", { request: request.id, names: all.length });
  return all;
}

/** The newest first; those of other processes on the same state folder are not this client's. */
function spilledResources({ spilled }: Services): Members[] {
  return [...spilled].reverse().map(([id, { name, size, mime }]) => ({
    uri: spillUri(id),
    name,
    description:
      mime === undefined
        ? `An output that was cut: ${count(size, "byte")}`
        : `A file for the user: ${count(size, "byte")}`,
    mimeType: mime ?? "text/plain",
    size,
  }));
}

function readCursor(cursor: unknown): number | undefined {
  const match = typeof cursor === "string" ? /^resources-(\d{1,6})$/.exec(cursor) : null;
  const start = match ? Number(match[1]) : 0;
  return start > 0 && start % PAGE_SIZE === 0 ? start : undefined;
}

/**
 * Which names of files are given to a client that did not call a tool for them: by the rules of the list, which would
 * name them, and those of the tool that would get them.
 */
interface ListingRules {
  readonly list: CallPolicy;
  readonly of: Ruling;
}

/** `undefined` where either tool is not there, or not for this client. @throws Failure as `narrowCall` */
export async function listingRules(
  { host, request, context }: SurfaceRequest,
  toolName: string,
): Promise<ListingRules | undefined> {
  const registry = await host.registry();
  const [list, tool] = [registry.get("list_directory"), registry.get(toolName)];
  if (!list || !tool) return undefined;
  const call = callOf(request, context, { name: list.name, arguments: {} });
  const under = [list, tool].map((one) => {
    const facts = toolFacts(one);
    return { facts, ...narrowCall(facts, call, host.config) };
  });
  const [byList, byTool] = under;
  if (!byList || !byTool || byList.leftOut || byTool.leftOut) return undefined;
  const grants = host.policy.grants.rules().map(({ text }) => text);
  return { list: byList, of: { tool: byTool.facts, mode: byTool.mode, grants } };
}
