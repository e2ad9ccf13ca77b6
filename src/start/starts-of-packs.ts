/**
 * What the packs that are on may start, by their settings: processes for the code of their powers, the broker of their requests,
 * programs for one file, and the programs that they speak to. None is started before a call needs it.
 */
import { limits } from "../base/index.ts";
import type { Config, PlannedPack } from "../config/index.ts";
import type { PackProgram } from "../contract/index.ts";
import type { FilterDeclarations, HelpersConfig } from "../proc/index.ts";
import { brokersOf, type BrokerOrder } from "../reach/index.ts";

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
  const told = packs.flatMap(({ name, network: own }) =>
    own === undefined ? [] : brokersOf(name, own).map(([broker, reach]) => [broker, [name, reach]] as const),
  );
  const brokers = Map.groupBy(told, ([broker]) => broker);
  const plans = [...brokers].map(([name, those]) => {
    const order = Object.fromEntries(those.map(([, pack]) => pack));
    return [name, brokerPlan(network, order)] as const;
  });
  return { ...Object.fromEntries(powers), ...Object.fromEntries(plans) };
}

function brokerPlan(
  { ca, ...network }: Config["network"],
  packs: BrokerOrder["packs"],
): HelpersConfig["plans"][string] {
  const order: BrokerOrder = {
    network: { ...network, ...(ca === undefined ? {} : { ca: `\${file:${ca}}` }) },
    packs,
  };
  return { network: "internet", memoryMb: limits.HELPER_MEMORY_MB, order };
}
