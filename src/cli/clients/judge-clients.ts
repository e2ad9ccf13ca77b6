/**
 * `ringfence doctor --clients`: of each client that is installed here, or was used by this user, whether it is protected. Only
 * files are read; no client is started.
 */
import { Failure, realPathOf } from "../../base/index.ts";
import { CLIENTS, judgeClient, type ClientJudgement, type ClientPlaces, type ClientRow } from "../../clients/index.ts";
import { parseRoot } from "../../config/index.ts";
import { messages, print, printJson, printText } from "../print.ts";
import { findClients, findPlaces, findProgram, readClientFile, thisProgram } from "./client-places.ts";
import { planClient } from "./plan-init.ts";

const WORDS: Readonly<Record<ClientJudgement["level"], string>> = {
  protected: "protected",
  partly: "partly protected",
  not: "not protected",
};

/** @param root the project whose files are looked at. @returns whether every client is protected */
export function judgeClients(root: string, json: boolean): boolean {
  const places = findPlaces(parseRoot(root).path);
  const installed = new Set(findClients(places));
  const judged = CLIENTS.map((row) => ({
    row,
    judgement: judgeClient(row, { places, read: readClientFile, realPath: realPathOf, isProgram }),
  }));
  // Its files may be those of the project, where nobody has started it yet.
  const found = judged.filter(({ row, judgement }) => installed.has(row) || judgement.files.length > 0);
  const judgements = found.map(({ judgement }) => judgement);
  if (json) printJson(judgements, 2);
  else if (judgements.length === 0) messages().info("No client that ringfence knows was found on this machine.");
  else for (const { row, judgement } of found) show(judgement, wouldWrite(row, places));
  return judgements.every(({ level }) => level === "protected");
}

/** Whether `init` without flags would change a file of this client; it names one that cannot be edited. */
function wouldWrite(row: ClientRow, places: ClientPlaces): boolean {
  const roots = [places.project];
  const setup = { program: thisProgram(), roots, flags: [], trustsProject: false, guards: false };
  try {
    return planClient(row, setup, places, "project").files.length > 0;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return true;
  }
}

function isProgram(command: string): boolean {
  return findProgram(command) !== undefined;
}

function show({ client, title, level, reasons }: ClientJudgement, helps: boolean): void {
  print(`${title}: ${WORDS[level]}`);
  for (const reason of reasons) printText(`  - ${reason}`);
  if (level !== "protected" && helps) print(`  ringfence init ${client} --dry-run shows what would be set up.`);
}
