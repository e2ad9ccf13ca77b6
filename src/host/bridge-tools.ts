/**
 * From what a client offers to tools in the registry: each is checked by itself, and one that cannot be used is refused
 * with the reason and harms no other. Their names begin with `client_`, so that none can be taken for a tool of ours that
 * is hidden, nor fall under a rule that was written for one.
 */
import { createHash } from "node:crypto";
import { Failure, limits, logLine, toFailure, reportBug } from "../base/index.ts";
import { defineRemoteTool, inputSchemaOf, type Registry, type Tool } from "../contract/index.ts";
import { readableText } from "../text/index.ts";
import { matchesTool } from "../policy/index.ts";
import { builtinTools } from "../packs/index.ts";
import { callClient } from "../pipeline/index.ts";
import { hiddenBecause } from "./offer.ts";
import type { Services } from "../pipeline/index.ts";

type Members = Readonly<Record<string, unknown>>;

const MAX_NAME_CHARS = 31;
const KEPT_CHARS = 24;
/** As the client calls it. */
const OFFERED_NAME = /^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$/;
/** The size of all schemas together: a model has to read the list of tools. */
const MAX_OFFER_BYTES: number = 1024 * 1024;
/** What is refused beyond it is counted. */
const MAX_REFUSED = 100;

export function registerOffered(host: Services, registry: Registry, offer: readonly unknown[]): void {
  const { bridge } = host;
  let bytes = 0;
  const taken = new Set([
    ...builtinTools.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    // A dialect's names are heard first.
    ...(host.dialect?.names ?? []),
  ]);
  for (const given of offer.slice(0, limits.MAX_FOREIGN_TOOLS)) {
    const offered = nameOf(given);
    try {
      const tool = defineOffered(host, given, offered, (alias) => !taken.has(alias) && !registry.get(alias));
      bytes += Buffer.byteLength(JSON.stringify(inputSchemaOf(tool)));
      if (bytes > MAX_OFFER_BYTES) throw new Failure("too_large", "all schemas together are too large");
      const hidden = hiddenBecause(tool, host.config);
      if (hidden !== undefined) throw new Failure("denied", hidden);
      registry.register(tool);
      bridge.tools.push({ name: tool.name, aliases: tool.aliases ?? [], offered });
    } catch (thrown) {
      const { message } = toFailure(thrown, () => reportBug(thrown));
      if (bridge.refused.length < MAX_REFUSED) bridge.refused.push({ offered, why: message });
    }
  }
  const more = offer.length - limits.MAX_FOREIGN_TOOLS;
  if (more > 0) bridge.refused.push({ offered: `${more} more`, why: `at most ${limits.MAX_FOREIGN_TOOLS} are taken` });
  const names = bridge.tools.map(({ name }) => name);
  host.audit.record("offered", { tools: names, refused: offer.length - names.length });
  if (bridge.refused.length > 0)
    logLine(`of the tools that the client offers, ${offer.length - names.length} are refused`);
}

function nameOf(given: unknown): string {
  const name = typeof given === "object" && given !== null ? (given as Members)["name"] : undefined;
  return typeof name === "string" ? readableText(name, 128) : "(no name)";
}

function defineOffered(host: Services, given: unknown, offered: string, isFree: (alias: string) => boolean): Tool {
  const { name, title, description, inputSchema } = (given ?? {}) as Members;
  if (typeof name !== "string" || !OFFERED_NAME.test(name))
    throw new Failure("invalid_input", `its name must be of the form ${OFFERED_NAME.source}`);
  const isOwn = /[.:/]/.test(name) && !/^(?:mcp|cmd)[.:/_]/i.test(name) && isFree(name);
  const listed = listedName(name);
  const { read_tools: reading, timeout_ms: timeoutMs } = host.config.bridge;
  const isRead = reading.some((one) => isNamed(one, name) || isNamed(one, listed));
  return defineRemoteTool({
    name: listed,
    aliases: isOwn ? [name] : [],
    owner: "the client",
    tool: offered,
    title,
    description,
    inputSchema: inputSchema ?? { type: "object" },
    ...(isRead ? { effect: "read" as const } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: async (args, ctx) => await callClient(host, name, args, ctx),
  });
}

function isNamed(pattern: string, name: string): boolean {
  return matchesTool(pattern, { name, effect: "reach", local: true });
}

/** What is too long is cut and ends with six digits of its hash. */
function listedName(name: string): string {
  const plain = `client_${name.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_")}`;
  if (plain.length <= MAX_NAME_CHARS) return plain;
  const hash = createHash("sha256").update(`client_${name}`).digest("hex");
  return `${plain.slice(0, KEPT_CHARS)}_${hash.slice(0, 6)}`;
}
