/**
 * Where a cut answer goes on, as an opaque string that needs no memory in the process: base64url JSON of the last place
 * that was returned, and a mark of the question, so that a cursor is not used with other arguments.
 */
import { Failure } from "../base/index.ts";

/** The arguments of the call that continues: those of this call under their wire names, and the new cursor. */
export function nextCall(options: object, place: unknown): Record<string, unknown> {
  return { ...wireOptions(options), cursor: writeCursor(options, place) };
}

/** The arguments of this call under their wire names, without the cursor. */
export function wireOptions(options: object): Record<string, unknown> {
  const named: [string, unknown][] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && name !== "cursor") named.push([snakeCase(name), value]);
  }
  return Object.fromEntries(named);
}

function writeCursor(options: object, place: unknown): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, questionMark(options), place])).toString("base64url");
}

/**
 * The place that `writeCursor` was given; `isPlace` checks its shape, because a cursor comes from outside.
 * @throws Failure `invalid_input`
 */
export function readCursor<Place>(
  options: { readonly cursor?: string | undefined },
  verb: string,
  isPlace: (value: unknown) => value is Place,
): Place | undefined {
  const { cursor } = options;
  if (cursor === undefined || cursor === "") return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    parsed = undefined;
  }
  const fields: unknown[] = Array.isArray(parsed) ? parsed : [];
  const [version, mark, place] = fields;
  if (version !== CURSOR_VERSION || !isPlace(place)) throw badCursor(verb, "it was not made by this host");
  if (mark !== questionMark(options)) throw badCursor(verb, "it belongs to a call with other arguments");
  return place;
}

/** Whether a value is an object with members of these types: the check that places need. */
export function hasMembers(value: unknown, members: Readonly<Record<string, "string" | "number">>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(members).every(([name, type]) => typeof found.get(name) === type);
}

const CURSOR_VERSION = 1;

/** The page size may change between pages; everything else is the question. */
function questionMark(options: object): string {
  const asked = Object.entries(options)
    .filter(([name, value]) => name !== "cursor" && name !== "limit" && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Bun.hash(JSON.stringify(asked)).toString(36);
}

function badCursor(verb: string, state: string): Failure {
  return new Failure("invalid_input", `Cannot ${verb} from this cursor: ${state}`, {
    hint: "Repeat the arguments of `next` exactly, or leave out cursor to start again.",
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
