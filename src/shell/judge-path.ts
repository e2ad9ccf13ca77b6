/**
 * What one path argument means for the verdict, by what is done to it. Reading outside of the roots is asked about;
 * changing the system, a disk, what runs at start-up, or the host's own state is never allowed.
 */
import { ask, deny, UNKNOWN_PATH, type Finding, type Judgement, type PathIntent } from "./judgement.ts";
import { UNKNOWN, type Arg } from "./parts.ts";
import { isInsideRoots, isSecret, placeOf, type Place, type Surface } from "./places.ts";

/**
 * `alter`: change what is there in place, with everything below (`chmod -R`); `append` and `write` are the same danger.
 */
export type Action = "metadata" | "read" | "write" | "remove" | "alter" | "any";

export interface PathUse {
  readonly arg: Arg;
  readonly action: Action;
  readonly recursive?: boolean;
}

export function judgePath(
  { arg, action, recursive = false }: PathUse,
  surfaces: readonly Surface[],
): Judgement {
  const findings = surfaces.flatMap((surface) => judgeAt(arg, action, surface));
  const inside = surfaces.every((surface) => isInsideRoots(arg.text, surface));
  const path = arg.text.replaceAll(UNKNOWN, "?");
  return { findings, paths: [{ path, intent: toIntent(action), recursive, inside }] };
}

function toIntent(action: Action): PathIntent {
  return action === "alter" ? "write" : action;
}

function judgeAt(arg: Arg, action: Action, surface: Surface): Finding[] {
  const found = placeOf(arg.text, arg.glob, surface);
  // A root that somebody opened inside a system folder is a root.
  const place = YIELDING.has(found) && isInsideRoots(arg.text, surface) ? "other" : found;
  const forbidden = FORBIDDEN[action];
  const reason = forbidden?.[place];
  if (reason !== undefined && !arg.text.startsWith(UNKNOWN)) return [deny(`it would ${reason}`)];
  if (arg.text.includes(UNKNOWN)) return [UNKNOWN_PATH];
  if (place === "harmless-device" && action === "write") return [];
  if (place === "state") return [ask("it reaches into the state of this host", "R4")];
  if (isSecret(arg.text)) return [ask("it reaches a file that usually holds secrets", "R4")];
  if (!isInsideRoots(arg.text, surface)) return [ask("it reaches outside the roots", "R4")];
  return [];
}

const YIELDING: ReadonlySet<Place> = new Set(["system", "log"]);

type Forbidden = Readonly<Partial<Record<Place, string>>>;

const WRITES: Forbidden = {
  whole: "change a whole system folder",
  system: "change the system",
  disk: "overwrite a disk",
  kernel: "change the running system",
  startup: "change what runs when the user logs in",
  hooks: "change what runs at the next git command",
  state: "change the state of this host",
};

const TAKES: Forbidden = {
  ...WRITES,
  whole: "take or change a whole system folder",
  top: "take or change a whole top folder",
  "harmless-device": "take a device away",
  home: "take or change a whole home folder",
  log: "hide traces",
};

const FORBIDDEN: Readonly<Partial<Record<Action, Forbidden>>> = {
  write: { ...WRITES },
  remove: TAKES,
  alter: TAKES,
};
