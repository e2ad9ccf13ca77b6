/**
 * The packs of one host while it runs: their tools, and the processes that have the code of their powers. Nothing of a pack is
 * loaded, and no process is started, before a tool calls a power.
 */
import { CLOCK, Failure, failureText, type Clock } from "../base/index.ts";
import type {
  Tool,
  ConfiguredPack,
  Pack,
  PackPlan,
  PackSource,
  AnyPackPower,
  PlannedPower,
} from "../contract/index.ts";
import { brokerFor, parseReach, type ReachList } from "../reach/index.ts";
import { Helper, type HelperStart, type Launch } from "../proc/index.ts";

/** What is said of a pack to a person and to a model. */
export interface PackView {
  readonly name: string;
  readonly title: string;
  readonly state: "on" | "off";
  readonly powers: readonly { readonly name: string; readonly runs_in: string; readonly fence?: string }[];
  /** What the pack says of itself on this machine. */
  readonly says: readonly string[];
  /** Why the pack cannot work on this machine. */
  readonly problem?: string;
}

export const NO_PACKS: PackSource = { settings: {}, load: async () => await Promise.resolve([]) };

/** What a pack may reach, and the processes that speak HTTP for it. */
export interface PackReach {
  readonly pack: string;
  readonly reach: ReachList;
  /** The name of the process for requests with that credential. */
  readonly brokerFor: (credential: string | undefined) => string;
}

export class HostPacks implements Disposable {
  readonly #source: PackSource;
  readonly #launch: Launch | undefined;
  readonly #clock: Clock;
  readonly #packOf: Map<Tool, ConfiguredPack> = new Map();
  #loading: Promise<readonly ConfiguredPack[]> | undefined;
  readonly #helpers: Map<string, Helper> = new Map();
  readonly #networks: Map<ConfiguredPack, PackReach> = new Map();
  readonly #code: Map<string, Promise<object>> = new Map();

  constructor(source: PackSource, launch: Launch | undefined, clock: Clock) {
    this.#source = source;
    this.#launch = launch;
    this.#clock = clock;
  }

  /** Loads the tools of the packs that are on, in the order of `tools/list`; nothing is known of a tool before. */
  async tools(): Promise<readonly Tool[]> {
    await (this.#loading ??= this.#load());
    return [...this.#packOf.keys()];
  }

  async #load(): Promise<readonly ConfiguredPack[]> {
    const configured = await this.#source.load();
    for (const one of configured)
      if (one.isOn) for (const tool of one.pack.tools(one.settings)) this.#packOf.set(tool, one);
    return configured;
  }

  powersOf(tool: Tool): readonly AnyPackPower[] {
    // A pack with a power that has no code is refused when packs are loaded.
    return (this.#packOf.get(tool)?.pack.powers ?? []) as readonly AnyPackPower[];
  }

  settingsOf(tool: Tool): unknown {
    return this.#packOf.get(tool)?.settings;
  }

  /** The process of a power. @throws Failure `unsupported` for a host that was started without a launcher */
  helper({ name }: AnyPackPower, settings: unknown): Helper {
    return this.#helperOf({ power: name, settings });
  }

  #helperOf(start: HelperStart, isKept = false): Helper {
    const { power } = start;
    if (!this.#launch)
      throw new Failure("unsupported", `Cannot use "${power}": this host was started without a launcher`, {
        hint: "A host that serves stdin and stdout has one.",
      });
    let helper = this.#helpers.get(power);
    if (!helper) this.#helpers.set(power, (helper = new Helper(this.#launch, start, this.#clock, isKept)));
    return helper;
  }

  /** The pack of a tool by its name, and what it may reach; `undefined` for one that says nothing of the network. */
  networkOf(tool: Tool): PackReach | undefined {
    const one = this.#packOf.get(tool);
    if (!one) return undefined;
    let known = this.#networks.get(one);
    if (!known) {
      const network = one.pack.network(one.settings);
      if (!network) return undefined;
      this.#networks.set(
        one,
        (known = {
          pack: one.pack.name,
          reach: parseReach(network.reach),
          brokerFor: (credential) => brokerFor(one.pack.name, network, credential),
        }),
      );
    }
    return known;
  }

  /** What each pack that is on may reach, in the words of its configuration; packs that reach nothing are left out. */
  async networks(): Promise<readonly { readonly pack: string; readonly reach: readonly string[] }[]> {
    return (await (this.#loading ??= this.#load())).flatMap(({ pack, isOn, settings }) => {
      const { reach = [] } = (isOn && pack.network(settings)) || {};
      return reach.length === 0 ? [] : [{ pack: pack.name, reach }];
    });
  }

  /**
   * A process that speaks HTTP for tools, by its name. It holds bodies in parts and the count of requests, so a call that is cancelled
   * does not end it. @throws Failure `unsupported` for a host that was started without a launcher */
  broker(name: string): Helper {
    return this.#helperOf({ power: name }, true);
  }

  /** The code of a power that runs in this thread. */
  async code(power: AnyPackPower): Promise<object> {
    let code = this.#code.get(power.name);
    if (!code) this.#code.set(power.name, (code = importCode(power)));
    try {
      return await code;
    } catch (thrown) {
      // The next call tries again.
      if (this.#code.get(power.name) === code) this.#code.delete(power.name);
      throw thrown;
    }
  }

  /** None where the configuration switches none on and the program brings none. */
  async views(): Promise<readonly PackView[]> {
    const fenceOf = ({ name }: PlannedPower): string | undefined => this.#helpers.get(name)?.fence;
    return await Promise.all(
      (await (this.#loading ??= this.#load())).map(async (one) => await viewPack(one, fenceOf, this.#clock)),
    );
  }

  [Symbol.dispose](): void {
    for (const helper of this.#helpers.values()) helper[Symbol.dispose]();
  }
}

async function importCode(power: AnyPackPower): Promise<object> {
  return (await power.serve()).handlers;
}

/** What a pack may take to say of itself, and how much of that is shown. */
const DOCTOR_MS = 5000;
const MAX_SAID_LINES = 16;
const MAX_SAID_CHARS = 400;

/** @param fenceOf the fence of a power in a process of its own, where it is known */
export async function viewPack(
  { pack, isOn, settings }: ConfiguredPack,
  fenceOf: (power: PlannedPower) => string | undefined = () => undefined,
  clock: Clock = CLOCK,
): Promise<PackView> {
  const view = viewOff(pack, fenceOf);
  return isOn ? { ...view, state: "on", ...(await asked(pack, settings, clock)) } : view;
}

/** A pack that is off: nothing but its plan is loaded. */
export function viewOff(
  { name, title, powers = [] }: Pick<PackPlan<unknown>, "name" | "title" | "powers">,
  fenceOf: (power: PlannedPower) => string | undefined = () => undefined,
): PackView {
  return {
    name,
    title,
    state: "off",
    powers: powers.map((power) => {
      const fence = fenceOf(power);
      return { name: power.name, runs_in: power.runsIn, ...(fence === undefined ? {} : { fence }) };
    }),
    says: [],
  };
}

async function asked(pack: Pack, settings: unknown, clock: Clock): Promise<Pick<PackView, "says" | "problem">> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  using _ = clock.after(DOCTOR_MS, () =>
    reject(new Failure("timed_out", `Cannot say how it is: no answer within ${DOCTOR_MS / 1000} s`, { hint: "" })),
  );
  try {
    const says = await Promise.race([pack.doctor(settings), late]);
    const left = says.length - MAX_SAID_LINES;
    return { says: [...says.slice(0, MAX_SAID_LINES).map(shortened), ...(left > 0 ? [`${left} more`] : [])] };
  } catch (thrown) {
    return { says: [], problem: shortened(thrown instanceof Failure ? failureText(thrown.data) : String(thrown)) };
  }
}

function shortened(text: string): string {
  return text.length > MAX_SAID_CHARS ? `${text.slice(0, MAX_SAID_CHARS)}...` : text;
}

/** `pack notes (Notes): on; find runs in sandbox (kernel ...); 3 notes` */
export function describePack({ name, title, state, powers, says, problem }: PackView): string {
  const runs = powers.map(
    ({ name: power, runs_in, fence }) => `${power} runs in ${runs_in}${fence === undefined ? "" : ` (${fence})`}`,
  );
  const parts = [state, ...(state === "on" ? runs : []), ...says, ...(problem === undefined ? [] : [problem])];
  return `pack ${name} (${title}): ${parts.join("; ")}`;
}
