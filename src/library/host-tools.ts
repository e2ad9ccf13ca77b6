/**
 * The tools of a host in this process while it runs: more can be registered, and those that are there taken out. Clients and
 * listeners are told, and so is the record.
 */
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { toTool, type AnyLocalTool } from "../contract/index.ts";
import type { Host } from "../host/index.ts";

/** What came and went in one change. */
export interface ToolsChanged {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * What decides which tools there are and what their calls need, as the configuration was resolved. It is frozen: nothing that
 * runs can widen it.
 */
export interface ToolPolicy extends Pick<Config, "profile" | "mode" | "readOnly" | "agents" | "providers" | "skills"> {
  /** What is there besides the profile, and what is not there whatever it says. */
  readonly tools: Config["toolList"];
  /** In the order of their layers; deny counts over ask, and ask over allow. */
  readonly rules: Config["rules"];
}

/** The tools of a host while it runs. */
export interface HostTools {
  /**
   * Adds a tool behind all others.
   *
   * @throws Failure `conflict` for a name that is taken, `invalid_input` for a tool that cannot be used, `denied` for one
   *   that the profile or another setting leaves out
   */
  register(tool: AnyLocalTool): Promise<void>;
  /** Takes a tool out, with its aliases. What runs goes on; a proposal of it waits. @returns whether it was there */
  unregister(name: string): Promise<boolean>;
  getPolicy(): ToolPolicy;
  /** Calls back after every change, whoever made it. @returns what takes the listener away */
  onChange(listener: (changed: ToolsChanged) => void): () => void;
}

/** @returns the tools, and what is to be called whenever somebody else has set the listener of the host */
export function createHostTools(host: Host): { readonly tools: HostTools; readonly listen: () => void } {
  const listeners = new Set<(changed: ToolsChanged) => void>();
  return {
    tools: {
      async register(tool) {
        const { refused } = await host.changeTools({ add: [toTool(tool)] });
        const [one] = refused;
        if (one) throw new Failure(one.code, `Cannot register the tool "${one.name}": ${one.why}`);
      },
      unregister: async (name) => (await host.changeTools({ remove: [name] })).removed.length > 0,
      getPolicy() {
        const { profile, mode, readOnly, agents, providers, skills, toolList, rules } = host.config;
        return Object.freeze({ profile, mode, readOnly, agents, providers, skills, tools: toolList, rules });
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    listen() {
      const told = host.onTools;
      host.onTools = (changed) => {
        told(changed);
        for (const listener of listeners) listener({ added: changed.added, removed: changed.removed });
      };
    },
  };
}
