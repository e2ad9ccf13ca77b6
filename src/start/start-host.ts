/**
 * A host's way from its command line to the point where it can be opened. The configuration is
 * read and checked before the way into the fence. Where that leads through a second start, the second one obeys what the first has
 * checked, because it is given that and reads no file of it: a file that changes in between changes nothing, and no schema is loaded twice.
 *
 * Usual mistake: to ask the environment or a file behind the fence for what the configuration has said.
 */
import { loadPacks, packsOf, planPacks, takeStartMark, type Config } from "../config/index.ts";
import type { Pack, PackSource } from "../contract/index.ts";
import { proveFence, type FenceState } from "../fence/index.ts";
import { enterHostFence } from "./enter-host-fence.ts";

export interface StartedHost {
  readonly config: Config;
  readonly fence: FenceState;
  readonly packs: PackSource;
}

export interface StartOptions {
  /** The fence of each program that is started. Default: as the configuration says of the host. */
  readonly programs?: (config: Config) => Config["fence"];
  /** Packs of the program that starts. Default: the optional ones of this program. */
  readonly packs?: readonly Pack[];
}

/**
 * @param load reads and checks the configuration; not called in a second start, which is behind the fence
 * @throws Failure for a configuration that cannot be used, `denied` for a mark that nobody but this program may set
 */
export async function startHost(load: () => Promise<Config>, options: StartOptions = {}): Promise<StartedHost> {
  const { programs, packs: own } = options;
  const mark = takeStartMark();
  if (mark !== undefined) {
    const { carried, ...fence } = proveFence(mark);
    const config = Object.freeze(JSON.parse(carried) as Config);
    return { config, fence, packs: sourceOf(config, own) };
  }
  const config = await load();
  const packs = await planPacks(config, own);
  const fence = await enterHostFence(config, { ...(programs ? { programs: programs(config) } : {}), packs });
  return { config, fence, packs: sourceOf(config, own) };
}

/** @param own the packs that a program brings. Default: the optional ones of this program */
export function sourceOf(config: Config, own?: readonly Pack[]): PackSource {
  return { settings: packsOf(config, own), load: async () => await loadPacks(config, own) };
}
