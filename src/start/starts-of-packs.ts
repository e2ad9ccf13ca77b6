/**
 * What the packs that are on may start, by their settings: processes for the code of their powers, the broker of their requests,
 * programs for one file, and the programs that they speak to. None is started before a call needs it.
 */
import { limits } from "../base/index.ts";
import type { Config, PlannedPack } from "../config/index.ts";
import type { PackProgram } from "../contract/index.ts";
import type { FilterDeclarations, HelpersConfig } from "../proc/index.ts";
import { brokerFor, type BrokerOrder, type PackNetwork } from "../reach/index.ts";

export function startsOf(packs: readonly PlannedPack[], network: Config["network"]): PackStarts {
  const programs = packs.flatMap(({ name, program }) => (program ? [[name, program] as const] : []));
  return {
    helpers: helperPlans(packs, network),
    filters: Object.fromEntries(packs.flatMap(({ filters }) => Object.entries(filters))),
    programs: Object.fromEntries(programs),
  };
}

/** What packs may start. */
export interface PackStarts {
  readonly helpers: HelpersConfig["plans"];
  /** Programs for one file. Nothing of two packs may have one name. */
  readonly filters: FilterDeclarations;
  /** By the names of the packs. */
  readonly programs: Readonly<Record<string, PackProgram>>;
}

function helperPlans(packs: readonly PlannedPack[], network: Config["network"]): HelpersConfig["plans"] {
  const powers = packs
    .flatMap((pack) => pack.powers)
    .flatMap(({ name, runsIn, memoryMb = limits.HELPER_MEMORY_MB }) =>
      runsIn === "sandbox" || runsIn === "net"
        ? [[name, { network: runsIn === "net" ? "internet" : "none", memoryMb }] as const]
        : [],
    );
  const reaching = packs.flatMap((pack) => (pack.network === undefined ? [] : [[pack.name, pack.network] as const]));
  const brokers = Map.groupBy(reaching, ([name, reach]) => brokerFor(name, reach));
  const plans = [...brokers].map(([name, those]) => [name, brokerPlan(network, those)] as const);
  return { ...Object.fromEntries(powers), ...Object.fromEntries(plans) };
}

function brokerPlan(
  { ca, ...network }: Config["network"],
  packs: readonly (readonly [name: string, reach: PackNetwork])[],
): HelpersConfig["plans"][string] {
  const order: BrokerOrder = {
    network: { ...network, ...(ca === undefined ? {} : { ca: `\${file:${ca}}` }) },
    packs: Object.fromEntries(packs),
  };
  return { network: "internet", memoryMb: limits.HELPER_MEMORY_MB, order };
}
