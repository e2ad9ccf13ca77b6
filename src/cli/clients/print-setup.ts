/**
 * What belongs into the files of clients, as text for a person to put in: also of clients whose files are not written.
 */
import { CLIENTS, freshText, OTHER_CLIENTS, printedText, type ClientScope, type Setup } from "../../clients/index.ts";
import { parseRoot } from "../../config/index.ts";
import { didYouMean, UsageError } from "../command.ts";
import { print } from "../print.ts";
import { findPlaces } from "./client-places.ts";

/** @param names all that are known, when there is none. @throws UsageError */
export function printSetups(names: readonly string[], setup: Setup, asked: ClientScope): void {
  const known: readonly string[] = [...CLIENTS, ...OTHER_CLIENTS].map(({ name }) => name);
  for (const name of names.length > 0 ? names : known) {
    if (!known.includes(name))
      throw new UsageError(`there is no client ${JSON.stringify(name)}${didYouMean(name, known)}`);
    print(textOf(name, setup, asked));
  }
}

function textOf(name: string, setup: Setup, asked: ClientScope): string {
  const other = OTHER_CLIENTS.find((one) => one.name === name);
  if (other) return `# ${other.title}: ${other.file}\n# ${other.note}\n${printedText(other, setup)}`;
  const row = CLIENTS.find((one) => one.name === name);
  if (!row) return "";
  const scope = row.scopes.includes(asked) ? asked : (row.scopes[0] ?? "user");
  const places = findPlaces(parseRoot(setup.roots[0] ?? ".").path);
  const files = row.files(setup, places, scope).map((file) => `# ${row.title}: ${file.path}\n${freshText(file)}`);
  const guard = setup.guards && row.guardClick !== undefined ? [row.guardClick] : [];
  const clicks = [...guard, ...(row.trustClick === undefined ? [] : [row.trustClick]), ...(row.clicks[scope] ?? [])];
  return [...files, ...clicks.map((click) => `# ${click}\n`)].join("\n");
}
