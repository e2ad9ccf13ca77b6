/**
 * `resources/list` and the templates: the roots, as directories, the files on their first level, and the outputs of this
 * process that were cut. Other files are not listed, there may be a million: a directory is read, or a path completed.
 */
import { basename } from "node:path";
import type { RequestContext, Revision } from "../mcp/index.ts";
import { readJob, type Services } from "../pipeline/index.ts";
import { isInside, rootUri, showName, spillUri } from "../scope/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { listingRules } from "./listing-rules.ts";
import { canList, canRead, resourceCall } from "./resource-call.ts";

type Members = Readonly<Record<string, unknown>>;

const PAGE_SIZE = 100;
/** Each is a template of its own, because a path is completed within one root. */
const MAX_TEMPLATES = 32;

/** What changes with the calls is not to be kept. @throws RpcError -32602 for a cursor that was not given here */
export async function listResources(host: Services, request: Request, context: RequestContext): Promise<string> {
  const { cursor } = request.params;
  const registry = await host.registry();
  const roots = canList(registry) ? rootResources(host) : [];
  const all = [...roots, ...(await fileResources(host, request, context, roots)), ...spilledResources(host)];
  const start = cursor === undefined ? 0 : readCursor(cursor);
  if (start === undefined) throw new RpcError(RPC.invalidParams, "params.cursor is not one that this server gave");
  const end = start + PAGE_SIZE;
  const more = end < all.length ? { nextCursor: `resources-${end}` } : {};
  return context.revision.result({ resources: all.slice(start, end), ...more }, 0);
}

/** @throws RpcError -32602 for any cursor: there is one page */
export async function listTemplates(host: Services, cursor: unknown, revision: Revision): Promise<string> {
  if (cursor !== undefined) throw new RpcError(RPC.invalidParams, "params.cursor is not one that this server gave");
  const registry = await host.registry();
  const reader = host.dialect?.nameOf("read_file") ?? "read_file";
  const roots = canRead(registry) ? host.config.roots.slice(0, MAX_TEMPLATES) : [];
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
  return revision.result({ resourceTemplates: [...files, spilled] }, true);
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
async function fileResources(
  host: Services,
  request: Request,
  context: RequestContext,
  roots: readonly RootResource[],
): Promise<readonly Members[]> {
  const rules = await listingRules(host, request, context, "read_file");
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
  return [...spilled].reverse().map(([id, { name, size }]) => ({
    uri: spillUri(id),
    name,
    description: `An output that was cut: ${size} bytes`,
    mimeType: "text/plain",
    size,
  }));
}

function readCursor(cursor: unknown): number | undefined {
  const match = typeof cursor === "string" ? /^resources-(\d{1,6})$/.exec(cursor) : null;
  const start = match ? Number(match[1]) : 0;
  return start > 0 && start % PAGE_SIZE === 0 ? start : undefined;
}
