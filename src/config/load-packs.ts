/**
 * The packs of one start: which are on, and what each has been told. The entries under `packs` in the configuration are held
 * to the schemas of the packs. A configuration without packs loads nothing for them.
 */
import { Failure, limits } from "../base/index.ts";
import type {
  ConfiguredPack,
  FilterDeclarations,
  Pack,
  PackPlan,
  PackProgram,
  PlannedPower,
  Power,
} from "../contract/index.ts";
import { parseReach, type PackNetwork } from "../reach/index.ts";
import { nearestNames } from "../text/index.ts";
import type { OptionalPack } from "../packs/optional.ts";
import type { DialectName } from "../dialects/index.ts";
import type { parsePackSettings } from "./parse/pack-settings.ts";
import type { Config, PackSettings } from "./settings.ts";

/** Packs of this program that are on where a dialect has their tools. */
const PACKS_OF_DIALECTS: Readonly<Partial<Record<DialectName, PackSettings>>> = {
  flynn: { sessions: {}, memory: {} },
  "flynn-plain": { sessions: {}, memory: {} },
};

const NAME = /^[a-z][a-z0-9_]{0,30}$/;
/** The powers that every host has. */
const OWN: readonly string[] =
  "files search commands desktop filters git hideSecrets http program remote reviews roots resolvePath secret signal sessions memory".split(
    " ",
  );
/** What every context has already. */
const TAKEN: readonly string[] = [...OWN, "facts", "cancel", "progress"];

/**
 * What the configuration says of the packs that are on, by name.
 * @param own the packs that a program brings. Default: the optional ones of this program
 */
export function packsOf(
  { packSettings, dialect }: Pick<Config, "packSettings" | "dialect">,
  own?: readonly Pack[],
): PackSettings {
  return { ...(own ? {} : PACKS_OF_DIALECTS[dialect]), ...packSettings };
}

/** A pack that is on, as far as a start has to know it. */
export interface PlannedPack {
  readonly name: string;
  readonly powers: readonly PlannedPower[];
  /** What its tools may reach; `undefined` for one that says nothing of the network. */
  readonly network: PackNetwork | undefined;
  /** The program that its tools speak to. */
  readonly program: PackProgram | undefined;
  /** Absolute paths outside of the roots that the workers read for it. */
  readonly reads: readonly string[];
  /** Programs for one file. */
  readonly filters: FilterDeclarations;
}

/**
 * The packs that are on, without their tools where they are this program's.
 * @param own the packs that a program brings. Default: the optional ones of this program
 * @throws Failure as `loadPacks`
 */
export async function planPacks(
  config: Pick<Config, "packSettings" | "dialect">,
  own?: readonly Pack[],
): Promise<readonly PlannedPack[]> {
  const settings = packsOf(config, own);
  if (own !== undefined && own.length > 0)
    return (await loadPacks(config, own)).flatMap(({ pack, isOn, settings: told }) =>
      isOn ? [planned(pack, told)] : [],
    );
  const names = Object.keys(settings);
  if (names.length === 0) return [];
  const { PLANS, parsePackSettings } = await import("./held-to-schemas.ts");
  const plans: Readonly<Record<string, PackPlan<unknown>>> = PLANS;
  checkKnown(names, Object.keys(plans));
  return names.map((name) => {
    const plan = plans[name] as PackPlan<unknown>;
    return planned(plan, checkedSettings(parsePackSettings, plan, settings[name]));
  });
}

/**
 * @param own the packs that a program brings. Default: the optional ones of this program
 * @throws Failure `invalid_input` that names the key, `conflict` for a name that is there twice, `unsupported` for a power
 *   that no pack can bring, or that a tool needs and its pack does not bring
 */
export async function loadPacks(
  config: Pick<Config, "packSettings" | "dialect">,
  own?: readonly Pack[],
): Promise<readonly ConfiguredPack[]> {
  const settings = packsOf(config, own);
  const brought = own ?? [];
  if (brought.length === 0 && Object.keys(settings).length === 0) return [];
  // A program with packs of its own has those of this one that its configuration names.
  const optional = Object.entries(await loadOptional()).filter(([name]) => !brought.some((one) => one.name === name));
  checkKnown(Object.keys(settings), [...brought.map(({ name }) => name), ...optional.map(([name]) => name)]);
  const named = optional.filter(([name]) => Object.hasOwn(settings, name));
  const packs = [...brought, ...(await Promise.all(named.map(async ([, pack]) => await pack.load())))];
  checkNames(packs);
  const { parsePackSettings } = await import("./held-to-schemas.ts");
  return packs.map((pack): ConfiguredPack => {
    if (!Object.hasOwn(settings, pack.name)) return { pack, isOn: false, settings: undefined };
    const told = checkedSettings(parsePackSettings, pack, settings[pack.name]);
    checkNeeds(pack, told);
    return { pack, isOn: true, settings: told };
  });
}

/** The packs of this program, without what is behind them. */
async function loadOptional(): Promise<Readonly<Record<string, OptionalPack>>> {
  return (await import("../packs/optional.ts")).OPTIONAL_PACKS;
}

function planned(plan: PackPlan<unknown>, settings: unknown): PlannedPack {
  const { name, powers = [] } = plan;
  const [network, program] = [plan.network?.(settings), plan.program?.(settings)];
  return {
    name,
    powers,
    network,
    program: program && { ...program, reach: network?.reach ?? [] },
    reads: plan.reads?.(settings) ?? [],
    // A program that cannot be started is said now, as what is wrong in the configuration.
    filters: plan.filters?.(settings) ?? {},
  };
}

/** @throws Failure `invalid_input` that names the key */
function checkedSettings(parse: typeof parsePackSettings, pack: PackPlan<unknown>, given: unknown): unknown {
  const settings = parse(pack, given);
  checkReach(pack, settings);
  return settings;
}

function checkKnown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw noPack(unknown, known);
}

/** @throws Failure `invalid_input` that names the pack and the entry */
function checkReach(pack: PackPlan<unknown>, settings: unknown): void {
  const { reach = [], credentials = {} } = pack.network?.(settings) ?? {};
  try {
    for (const hosts of [reach, ...Object.values(credentials).map((one) => one.hosts)]) parseReach(hosts);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new Failure("invalid_input", `Cannot start: packs.${pack.name}: ${thrown.message}`, {
      hint: thrown.data.hint,
    });
  }
}

function noPack(name: string, names: readonly string[]): Failure {
  const [nearest] = nearestNames(name, names, 1);
  return new Failure(
    "invalid_input",
    `Cannot start: packs.${name}: there is no pack ${JSON.stringify(name)}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
    { hint: names.length === 0 ? "This program has no packs to switch on." : `It has ${names.join(", ")}.` },
  );
}

function checkNames(packs: readonly Pack[]): void {
  const seen = new Set<string>();
  const powers = new Map<string, Power | undefined>(TAKEN.map((name) => [name, undefined]));
  for (const { name, powers: own = [] } of packs) {
    if (!NAME.test(name))
      throw new Failure("invalid_input", `Cannot use the pack "${name}": its name must match ${NAME.source}`);
    if (seen.has(name)) throw new Failure("conflict", `Cannot use two packs of the name "${name}"`);
    seen.add(name);
    for (const power of own) checkPower(name, power, powers);
  }
}

/** Several packs may have one and the same power. */
function checkPower(pack: string, power: Power, taken: Map<string, Power | undefined>): void {
  if (taken.get(power.name) === power) return;
  const what = `Cannot use the pack "${pack}": its power "${power.name}"`;
  if (power.serve === undefined || !["sandbox", "net", "host"].includes(power.runsIn))
    throw new Failure("unsupported", `${what} cannot run in "${power.runsIn}"`, {
      hint: "The code of a pack runs in sandbox, net or host.",
    });
  if (!NAME.test(power.name)) throw new Failure("invalid_input", `${what} has a name that must match ${NAME.source}`);
  const { answerBytes = limits.HELPER_ANSWER_BYTES } = power;
  if (!(answerBytes > 0 && answerBytes <= limits.MAX_UPSTREAM_LINE_BYTES))
    throw new Failure("invalid_input", `${what} has answerBytes ${answerBytes}`, {
      hint: `It must be above 0 and at most ${limits.MAX_UPSTREAM_LINE_BYTES}.`,
    });
  if (taken.has(power.name)) throw new Failure("conflict", `${what} has a name that a context has already`);
  taken.set(power.name, power);
}

/** A tool has the powers of the host and those of its own pack, and would fail in its first call without one of them. */
function checkNeeds(pack: Pack, settings: unknown): void {
  const known = [...OWN, ...(pack.powers ?? []).map(({ name }) => name)];
  for (const { name: tool, needs = [] } of pack.tools(settings)) {
    const missing = needs
      .map((need) => (typeof need === "string" ? need : need.name))
      .find((one) => !known.includes(one));
    if (missing !== undefined)
      throw new Failure(
        "unsupported",
        `Cannot use the pack "${pack.name}": no power "${missing}", which its tool ${tool} needs`,
        {
          hint: "Name the power among the powers of the pack.",
        },
      );
  }
}
