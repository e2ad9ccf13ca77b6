/**
 * What a tool may do, and everything that follows from it: the one table of effects. A new effect is a row here; code asks
 * the row, never for the effect by its name.
 */
import { isSteering, type Risk } from "./risk.ts";
import { isPath, type Target } from "./target.ts";

/** read a root · change files in a root · run a program · reach the network · show something on the desktop */
export type Effect = "read" | "change" | "run" | "reach" | "show";

interface EffectRules {
  /**
   * How much one concrete call could cost.
   * @param target absent for the call as a whole @param removes something is taken away @param isAllowed a rule names
   *   the target and allows it, or the operator lists its host in the reach of the pack
   */
  readonly risk: (target: Target | undefined, removes: boolean, isAllowed?: boolean) => Risk;
  /** The mode decides as if the risk were this, where it is lower. */
  readonly riskInMode?: (risk: Risk) => Risk;
  /** The name in the configuration for the tools with this effect. */
  readonly group: `group:${string}`;
  /** The call leaves everything as it is: it is there on a host that only reads, and is made in the mode `plan`. */
  readonly onlyReads: boolean;
  /** A call that a person is asked about becomes a proposal; else the person is asked for a permission, before it is made. */
  readonly asked: "proposal" | "permission";
  /**
   * What a call holds up. `shared`: nothing. `targets`: later calls on its targets, until it has ended. `all`: nothing, but it
   * starts after every earlier call, because nobody knows what it reads.
   */
  readonly order: "shared" | "targets" | "all";
  /** When the record is flushed before the call is made; `started`: where the call starts a program. */
  readonly recordedFirst: "always" | "started" | "never";
  /** The powers of a tool that names none. */
  readonly powers: readonly string[];
  /** What a call would start is looked at before the call is decided, and rules name it by its line. */
  readonly startsPrograms: boolean;
  /** A person sees what a proposed call would change in files, so a client may show that in a view of its own. */
  readonly hasDiff: boolean;
  /** The call leaves the machine. */
  readonly isOpenWorld: boolean;
  /** The call happens on the person's own screen, without a proposal. */
  readonly isOnScreen: boolean;
  /** Secrets in its answer are replaced by the host; a worker has replaced those in what it reads. */
  readonly isRedacted: boolean;
  /** Whether reasons and rules name paths and patterns alone; else they may hold a line with secrets in it. */
  readonly namesPathsOnly: boolean;
  /** The files that decide about the tools are kept from it, whether there are rules or not. */
  readonly keepsFromPolicy: boolean;
}

const READING: readonly string[] = ["files", "search", "secret"];

const QUIET = {
  powers: READING,
  recordedFirst: "never",
  startsPrograms: false,
  hasDiff: false,
  isOpenWorld: false,
  isOnScreen: false,
  isRedacted: false,
  keepsFromPolicy: false,
} as const satisfies Partial<EffectRules>;

export const EFFECTS: Readonly<Record<Effect, EffectRules>> = {
  read: {
    ...QUIET,
    risk: readRisk,
    group: "group:read",
    onlyReads: true,
    asked: "permission",
    order: "shared",
    namesPathsOnly: true,
  },
  change: {
    ...QUIET,
    risk: changeRisk,
    group: "group:change",
    onlyReads: false,
    asked: "proposal",
    order: "targets",
    hasDiff: true,
    recordedFirst: "always",
    namesPathsOnly: true,
    keepsFromPolicy: true,
  },
  run: {
    ...QUIET,
    risk: () => "R3",
    group: "group:runtime",
    onlyReads: false,
    asked: "proposal",
    order: "all",
    recordedFirst: "started",
    powers: [...READING, "commands"],
    startsPrograms: true,
    isRedacted: true,
    namesPathsOnly: false,
    keepsFromPolicy: true,
  },
  reach: {
    ...QUIET,
    risk: (target, _, isAllowed) => (target && isFetch(target, isAllowed) ? "R1" : "R4"),
    group: "group:web",
    onlyReads: false,
    asked: "permission",
    order: "shared",
    recordedFirst: "always",
    powers: [...READING, "desktop"],
    isOpenWorld: true,
    isRedacted: true,
    namesPathsOnly: false,
  },
  show: {
    ...QUIET,
    risk: () => "R3",
    // What is shown on the desktop is read by a person, who is there.
    riskInMode: (risk) => (risk === "R3" ? "R1" : risk),
    group: "group:desktop",
    onlyReads: false,
    asked: "permission",
    order: "shared",
    powers: [...READING, "desktop"],
    isOnScreen: true,
    namesPathsOnly: false,
  },
};

function readRisk(target: Target | undefined, _: boolean, isAllowed?: boolean): Risk {
  if (!target) return "R0";
  if (target.kind === "command") return "R3";
  if (target.kind === "host" || target.kind === "url") return isFetch(target, isAllowed) ? "R1" : "R4";
  return target.mode === "metadata" ? "R0" : "R1";
}

/** A local record is an ordinary change, as a file is; what leaves the machine never is. */
function changeRisk(target: Target | undefined, removes: boolean, isAllowed?: boolean): Risk {
  if (removes) return "R4";
  if (!target) return "R2";
  if (isPath(target)) return target.mode !== "read" && isSteering(target.path) ? "R4" : "R2";
  if (target.kind === "record") return target.mode === "remove" ? "R4" : "R2";
  return isFetch(target, isAllowed) ? "R2" : "R4";
}

/**
 * Something is read from elsewhere: an object of a bucket that the operator named, or a URL that a rule or the
 * reach of the pack names. Any other URL could carry data away, in its host, its path and its query.
 */
function isFetch(target: Target, isAllowed = false): boolean {
  if (target.kind === "url") return isAllowed && /^(?:get|head)$/i.test(target.method);
  return target.kind === "object" && (target.mode === "read" || target.mode === "metadata");
}
