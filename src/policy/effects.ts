/**
 * What a tool may do, and everything that follows from it: the one table of effects. A new effect is a row here; code asks
 * the row, never for the effect by its name.
 */
import { isSteering, type Risk } from "./risk.ts";

/** read a root · change files in a root · run a program · reach the network · show something on the desktop */
export type Effect = "read" | "change" | "run" | "reach" | "show";

/** What a call would touch, as far as its risk depends on it. */
export interface RiskFacts {
  readonly access: readonly {
    readonly path: string;
    readonly mode: "metadata" | "read" | "write" | "remove";
  }[];
  /** The call can take something away (delete), as the tool declares. */
  readonly removes: boolean;
}

interface EffectRules {
  /** How much one concrete call could cost. */
  readonly risk: (facts: RiskFacts) => Risk;
  /** The mode decides as if the risk were this, where it is lower. */
  readonly riskInMode?: (risk: Risk) => Risk;
  /** The name in the configuration for the tools with this effect. */
  readonly group: `group:${string}`;
  /** The call leaves everything as it is: it is there on a host that only reads, and is made in the mode `plan`. */
  readonly onlyReads: boolean;
  /** A call that a person is asked about becomes a proposal; else the person is asked for a permission, before it is made. */
  readonly asked: "proposal" | "permission";
  /** Whether reasons and rules name paths and patterns alone; else they may hold a line with secrets in it. */
  readonly namesPathsOnly: boolean;
  /** The files that decide about the tools are kept from it, whether there are rules or not. */
  readonly keepsFromPolicy: boolean;
}

export const EFFECTS: Readonly<Record<Effect, EffectRules>> = {
  read: {
    risk: ({ access }) => (access.every(({ mode }) => mode === "metadata") ? "R0" : "R1"),
    group: "group:read",
    onlyReads: true,
    asked: "permission",
    namesPathsOnly: true,
    keepsFromPolicy: false,
  },
  change: {
    risk: ({ access, removes }) =>
      removes || access.some(({ path, mode }) => mode !== "read" && isSteering(path)) ? "R4" : "R2",
    group: "group:change",
    onlyReads: false,
    asked: "proposal",
    namesPathsOnly: true,
    keepsFromPolicy: true,
  },
  run: {
    risk: () => "R3",
    group: "group:runtime",
    onlyReads: false,
    asked: "proposal",
    namesPathsOnly: false,
    keepsFromPolicy: true,
  },
  reach: {
    risk: () => "R4",
    group: "group:web",
    onlyReads: false,
    asked: "permission",
    namesPathsOnly: false,
    keepsFromPolicy: false,
  },
  show: {
    risk: () => "R3",
    // What is shown on the desktop is read by a person, who is there.
    riskInMode: (risk) => (risk === "R3" ? "R1" : risk),
    group: "group:desktop",
    onlyReads: false,
    asked: "permission",
    namesPathsOnly: false,
    keepsFromPolicy: false,
  },
};
