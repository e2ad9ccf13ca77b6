/**
 * A host with the memory, as the tests of it use one: changes are made at once unless a test says otherwise.
 */
import { loadPacks, type RawConfig } from "../../src/config/index.ts";
import type { MemorySettings } from "../../src/memory/index.ts";
import { openTestHost, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";

export interface MemoryHostOptions extends Omit<TestHostOptions, "packs"> {
  readonly memory?: MemorySettings;
}

export async function openMemoryHost({ memory = {}, ...options }: MemoryHostOptions = {}): Promise<TestHost> {
  const packs = await loadPacks({ packSettings: { memory }, dialect: "ringfence" });
  const config: RawConfig = { mode: "accept_edits", ...options.config };
  return openTestHost({ ...options, config, packs });
}
