/**
 * The tools of one process by name and alias. Two tools that would answer to one name are an error, never a silent winner. The
 * order of registration is the order of `tools/list`.
 */
import type { CallOptions, CallResult, ToolHost } from "../calls/index.ts";
import { Failure } from "../base/index.ts";
import { EFFECTS } from "../policy/index.ts";
import type { Tool } from "./tool.ts";
import { inputSchemaOf } from "./wire-schema.ts";

const NAME = /^[a-z][a-z0-9_]{0,30}$/;

/** Clients cut a longer one, in the middle of a sentence. */
const MAX_DESCRIPTION_BYTES = 2048;

/** One tool as a request to a model has it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The host that makes a call, and what its `callTool` takes besides the arguments. */
export interface ExecuteContext extends CallOptions {
  readonly host: Pick<ToolHost, "callTool">;
}

/** The tools of a host. */
export interface Registry {
  /** @throws Failure `invalid_input` for a bad name or a long description, `conflict` for one that is taken */
  register(tool: Tool): void;
  /** Takes a tool out, with its aliases. @returns whether it was there */
  unregister(name: string): boolean;
  /** @throws Failure `not_found` for an unknown tool, `conflict` for a name that is taken */
  addAlias(alias: string, name: string): void;
  get(nameOrAlias: string): Tool | undefined;
  /** Whether there is a tool of this name or alias. */
  has(nameOrAlias: string): boolean;
  list(): Tool[];
  /** The tools for these names or aliases, in the order given. @throws Failure `not_found` */
  definitions(names: readonly string[]): Tool[];
  /** What a model is told of the tools for these names or aliases. An unknown one is skipped. */
  definitionsFor(ids: readonly string[]): ToolDefinition[];
  /**
   * Makes a call by name or alias in the host that has these tools: a registry alone has no roots, no policy and no record.
   *
   * @throws Failure `not_found` for an unknown tool, and what `callTool` throws
   */
  execute(nameOrAlias: string, input: Readonly<Record<string, unknown>>, context: ExecuteContext): Promise<CallResult>;
  /** Every name and alias. */
  names(): string[];
}

function takenName(name: string): Failure {
  return new Failure("conflict", `Cannot use the name "${name}" twice: a tool or alias has it already`);
}

const LISTED = { hint: "names() lists the tools and their aliases." };

/** A call is decided by the effect of its tool, so a power that does more than the effect says would pass every rule. */
function checkNeeds({ name, effect, needs = [] }: Tool): void {
  const allowed = EFFECTS[effect];
  for (const need of needs) {
    const [power, runsIn] = typeof need === "string" ? [need, ""] : [need.name, need.runsIn];
    const isTooMuch =
      (ACTING.includes(power) && !allowed.powers.includes(power)) || (runsIn === "net" && !allowed.isOpenWorld);
    if (isTooMuch)
      throw new Failure(
        "invalid_input",
        `Cannot register the tool "${name}": the effect "${effect}" does not allow it to need "${power}"`,
        { hint: "A tool that needs commands has the effect run, one that needs the network has the effect reach." },
      );
  }
}

/** Powers of the host that do more than read. */
const ACTING: readonly string[] = ["commands", "desktop"];

/** The tools of a host by name and alias. @throws Failure `conflict` for two of one name */
export function createRegistry(tools: readonly Tool[] = []): Registry {
  const byName = new Map<string, Tool>();
  const aliases = new Map<string, string>();

  const registry: Registry = {
    register(tool) {
      if (!NAME.test(tool.name))
        throw new Failure(
          "invalid_input",
          `Cannot register the tool "${tool.name}": its name must match ${NAME.source}`,
        );
      if (Buffer.byteLength(tool.summary) >= MAX_DESCRIPTION_BYTES)
        throw new Failure(
          "invalid_input",
          `Cannot register the tool "${tool.name}": its description must be shorter than ${MAX_DESCRIPTION_BYTES} bytes`,
        );
      checkNeeds(tool);
      // All of its names, or none of it: what is refused leaves nothing behind.
      const names = [tool.name, ...(tool.aliases ?? [])];
      names.forEach(claim);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) throw takenName(twice);
      byName.set(tool.name, tool);
      for (const alias of tool.aliases ?? []) aliases.set(alias, tool.name);
    },
    unregister(name) {
      if (!byName.has(name)) return false;
      for (const [alias, target] of aliases) if (target === name) aliases.delete(alias);
      return byName.delete(name);
    },
    addAlias(alias, name) {
      if (!byName.has(name))
        throw new Failure("not_found", `Cannot add the alias "${alias}": there is no tool "${name}"`, LISTED);
      claim(alias);
      aliases.set(alias, name);
    },
    get: (name) => byName.get(name) ?? byName.get(aliases.get(name) ?? ""),
    has: (name) => registry.get(name) !== undefined,
    list: () => [...byName.values()],
    definitions: (names) =>
      names.map((name) => {
        const tool = registry.get(name);
        if (!tool) throw new Failure("not_found", `Cannot find the tool "${name}": no such name or alias`, LISTED);
        return tool;
      }),
    definitionsFor: (ids) =>
      ids.flatMap((id) => {
        const tool = registry.get(id);
        return tool ? { name: tool.name, description: tool.summary, inputSchema: inputSchemaOf(tool) } : [];
      }),
    async execute(nameOrAlias, input, { host, ...how }) {
      const [tool] = registry.definitions([nameOrAlias]);
      return await host.callTool(tool?.name ?? nameOrAlias, input, how);
    },
    names: () => [...byName.keys(), ...aliases.keys()],
  };

  function claim(name: string): void {
    if (byName.has(name) || aliases.has(name)) throw takenName(name);
  }

  for (const tool of tools) registry.register(tool);
  return registry;
}
