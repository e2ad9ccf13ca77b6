/**
 * What `init` would write for one client, from the files as they are. A link is followed, and stays: what is written is the
 * file at its end. A file that is read-only, or that is no plain file, is left to the person.
 */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../base/index.ts";
import {
  GUARDS,
  planFile,
  type ClientFile,
  type ClientRow,
  type ClientScope,
  type ClientPlaces,
  type PlannedFile,
  type Setup,
} from "../../clients/index.ts";
import { readClientFile } from "./client-places.ts";

export interface ClientPlan {
  readonly row: ClientRow;
  readonly scope: ClientScope;
  /** The files that change; none when all of it is there already. */
  readonly files: readonly PlannedFile[];
}

/** @throws Failure for a file that cannot be edited; then nothing is written for this client */
export function planClient(row: ClientRow, setup: Setup, places: ClientPlaces, asked: ClientScope): ClientPlan {
  if (setup.guards && !GUARDS.some(({ name }) => name === row.name))
    throw new Failure("unsupported", `Cannot guard ${row.title}: it has no hook that ringfence answers`, {
      hint: "Nothing is written. Leave --guard out.",
    });
  const scope = row.scopes.includes(asked) ? asked : otherScope(row, asked);
  const files = row.files(setup, places, scope).flatMap((file) => planOne(file) ?? []);
  return { row, scope, files };
}

/** A client that has no files of a project takes the user's. @throws Failure `unsupported` */
function otherScope({ title, scopes }: ClientRow, asked: ClientScope): ClientScope {
  const other = asked === "managed" ? undefined : scopes.find((scope) => scope !== "managed");
  if (other !== undefined) return other;
  throw new Failure("unsupported", `Cannot set up ${title} for all users: it reads no file of an administrator`, {
    hint: "Set it up for each user or project: leave --managed out.",
  });
}

function planOne(file: ClientFile): PlannedFile | undefined {
  const name = [file.path, ...(file.otherNames ?? [])].find(isThere) ?? file.path;
  const path = endOf(name);
  const before = readClientFile(path);
  const planned = planFile(file, path, before);
  if (planned && before !== undefined && (statSync(path).mode & OWNER_WRITES) === 0)
    throw new Failure("denied", `Cannot edit "${path}": it is read-only`, {
      hint: `Nothing is written. If it may be changed: chmod u+w, and start again.`,
    });
  return planned;
}

const OWNER_WRITES = 0o200;

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The path without links; of what is not there yet, that of the deepest folder that is. */
function endOf(path: string): string {
  if (!isThere(path)) {
    const folder = dirname(path);
    return folder === path ? path : join(endOf(folder), basename(path));
  }
  try {
    return realpathSync(path);
  } catch (thrown) {
    throw new Failure(
      "invalid_input",
      `Cannot follow "${path}": ${(thrown as NodeJS.ErrnoException).code ?? "it leads nowhere"}`,
      {
        hint: "Nothing is written. Repair the link.",
      },
    );
  }
}
