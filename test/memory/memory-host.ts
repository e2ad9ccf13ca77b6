/**
 * A host with the memory, as the tests of it use one: changes are made at once unless a test says otherwise.
 */
import { join } from "node:path";
import { loadPacks, type RawConfig } from "../../src/config/index.ts";
import type { MemorySettings } from "../../src/memory/index.ts";
import { layFiles } from "../host/file-tree.ts";
import { openTestHost, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";

export interface MemoryHostOptions extends Omit<TestHostOptions, "packs"> {
  readonly memory?: MemorySettings;
}

export async function openMemoryHost({ memory = {}, ...options }: MemoryHostOptions = {}): Promise<TestHost> {
  const packs = await loadPacks({ packSettings: { memory }, dialect: "ringfence" });
  const config: RawConfig = { mode: "accept_edits", ...options.config };
  return openTestHost({ ...options, config, packs });
}

export const notesOf = (host: TestHost): string => join(host.stateDir, "memory");

export function layNotes(host: TestHost, files: Readonly<Record<string, string>>): void {
  layFiles(notesOf(host), Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.md`, text])));
}

export interface FoundPlaces {
  readonly places: readonly string[];
  readonly text: string;
  readonly all: string;
  readonly code: string | undefined;
}

export async function search(host: TestHost, query: string, more: object = {}): Promise<FoundPlaces> {
  const { text, all, failure } = await host.call("memory_search", { query, ...more });
  const places = [...text.matchAll(/^(\S+):\d+ {2}\(/gm)].map(([, place = ""]) => place);
  return { places, text, all, code: failure?.code };
}
