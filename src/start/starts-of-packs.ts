/**
 * What the packs that are on may start, by their settings: processes for the code of their powers, the broker of their requests, and
 * the programs that they speak to. None is started before a call needs it.
 */
import { limits } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import type { ConfiguredPack, PackProgram } from "../contract/index.ts";
import type { HelpersConfig } from "../proc/index.ts";
import { BROKER, type BrokerOrder, type PackNetwork } from "../reach/index.ts";

export function startsOf(packs: readonly ConfiguredPack[], network: Config["network"]): PackStarts {
  return { helpers: helperPlans(packs, network), programs: packPrograms(packs) };
}

/** What packs may start. */
export interface PackStarts {
  readonly helpers: HelpersConfig["plans"];
  /** By the names of the packs. */
  readonly programs: Readonly<Record<string, PackProgram>>;
}

/** The processes that these packs may need; none is started before the first call. */
function helperPlans(packs: readonly ConfiguredPack[], network: Config["network"]): HelpersConfig["plans"] {
  const on = packs.filter(({ isOn }) => isOn);
  const powers = on
    .flatMap(({ pack }) => pack.powers ?? [])
    .flatMap(({ name, runsIn, memoryMb = limits.HELPER_MEMORY_MB }) =>
      runsIn === "sandbox" || runsIn === "net"
        ? [[name, { network: runsIn === "net" ? "internet" : "none", memoryMb }] as const]
        : [],
    );
  const reaching = on.flatMap(({ pack, settings }) => {
    const reach = pack.network(settings);
    return reach === undefined ? [] : [[pack.name, reach] as const];
  });
  return { ...Object.fromEntries(powers), ...(reaching.length === 0 ? {} : brokerPlan(network, reaching)) };
}

function brokerPlan(
  { ca, ...network }: Config["network"],
  packs: readonly (readonly [name: string, reach: PackNetwork])[],
): HelpersConfig["plans"] {
  const order: BrokerOrder = {
    network: { ...network, ...(ca === undefined ? {} : { ca: `\${file:${ca}}` }) },
    packs: Object.fromEntries(packs),
  };
  return { [BROKER]: { network: "internet", memoryMb: limits.HELPER_MEMORY_MB, order } };
}

/** The programs that these packs speak to, by the names of the packs. */
function packPrograms(packs: readonly ConfiguredPack[]): PackStarts["programs"] {
  const found = packs.flatMap(({ pack, isOn, settings }) => {
    const program = isOn ? pack.program(settings) : undefined;
    return program ? [[pack.name, program] as const] : [];
  });
  return Object.fromEntries(found);
}
