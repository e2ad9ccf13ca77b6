/**
 * What was found out about a part of a command line. No finding means: only reads, inside the roots. Findings are only
 * ever added, never taken back, so the strictest part decides and a wrapper cannot lower it.
 */

/** How much harm the command could do, in the words of the host: from R0, it looks at names, to R5, it is never allowed. */
export type RiskOfCommand = "R0" | "R1" | "R2" | "R3" | "R4" | "R5";

export type LineVerdict = "allow" | "ask" | "deny";

export interface Finding {
  readonly verdict: "ask" | "deny";
  /** For the person who is asked: a short sentence without a full stop. */
  readonly reason: string;
  readonly risk: RiskOfCommand;
  /** What would run cannot be told from the text: not even a mode that applies everything may run it unasked. */
  readonly opaque?: true;
}

/** `any`: the program is not known, so the path may be for anything. */
export type PathIntent = "metadata" | "read" | "write" | "remove" | "any";

export interface TouchedPath {
  /** As the program gets it, relative to the working directory; not normalised, because the kernel resolves it too. */
  readonly path: string;
  readonly intent: PathIntent;
  /** Everything below it too: a denied file inside counts. */
  readonly recursive: boolean;
  /** By its text. Links are for the caller's scope to resolve. */
  readonly inside: boolean;
}

/** What lies in a directory comes to light, should the path be one. */
export interface Listing {
  /** As in `TouchedPath`. */
  readonly path: string;
  /** Where contents come to light, links that lie there are followed too. */
  readonly shows: "names" | "contents";
  /** Levels below it; 1 is what lies directly in it. Absent: all. */
  readonly depth?: number | undefined;
  /** Also names that begin with a dot. */
  readonly hidden: boolean;
  readonly onlyDirectories?: boolean | undefined;
  /** The line tells what links lead to: whether the target exists, and what it is. */
  readonly follows?: boolean | undefined;
  /** Patterns of find for a last name; files of other names are not shown. Absent: all are. */
  readonly names?: readonly string[] | undefined;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly paths: readonly TouchedPath[];
  readonly listings?: readonly Listing[];
}

export const HARMLESS: Judgement = { findings: [], paths: [] };

/** A value may be anything, but what is done with it is known. */
export const UNKNOWN_PATH: Finding = askOpaque("a path is not known before it runs");
export const UNKNOWN_ARGUMENT: Finding = askOpaque("an argument is not known before it runs");

/** R3 runs something or changes something ordinary; R4 takes away, reaches out or steers other programs. */
export function ask(reason: string, risk: "R2" | "R3" | "R4" = "R3"): Finding {
  return { verdict: "ask", reason, risk };
}

export function askOpaque(reason: string): Finding {
  return { verdict: "ask", reason, risk: "R4", opaque: true };
}

export function deny(reason: string): Finding {
  return { verdict: "deny", reason, risk: "R5" };
}

export function judged(...findings: readonly Finding[]): Judgement {
  return { findings, paths: [] };
}

export function merge(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings }) => findings),
    paths: judgements.flatMap(({ paths }) => paths),
    listings: judgements.flatMap(({ listings }) => listings ?? []),
  };
}

/**
 * The findings that say that words from elsewhere, for which stand-ins were judged, decide what is run and not only
 * on what.
 */
export function onlyUntold({ findings }: Judgement): Judgement {
  return judged(
    ...findings.filter(
      (finding) => finding.opaque === true && finding !== UNKNOWN_PATH && finding !== UNKNOWN_ARGUMENT,
    ),
  );
}

export function isDenied({ findings }: Judgement): boolean {
  return findings.some(({ verdict }) => verdict === "deny");
}
