/** What `promises.ts` puts beside the reading: the record of a read, and its decision. */
import { mkdirSync } from "node:fs";
import { openAuditLog } from "../../../src/audit/index.ts";
import { sha256 } from "../../../src/base/index.ts";
import { parseArguments } from "../../../src/contract/index.ts";
import { workerTools } from "../../../src/packs/worker-tools.ts";
import { evaluate } from "../../../src/policy/index.ts";
import { createPlacePath, placeTarget, toolFacts, type PlacePath } from "../../../src/session/index.ts";
import type { Request } from "./lines.ts";

export interface ReadRecord {
  /** The worker has been asked. @returns what `after` takes */
  before(request: Request): string;
  /** @param members of the result, which is answered next */
  after(call: string, members: string): void;
  /** Before answers leave. */
  write(): void;
}

/** The lines of a read as the host writes them. @param base its folders begin with it */
export function chainedRecord(base: string): ReadRecord {
  const folders = { audit: `${base}-audit`, checkpoints: `${base}-checkpoints`, keys: `${base}-keys` };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openAuditLog(folders);
  const tool = "read_file";
  return {
    before({ id, params }) {
      const given = params?.arguments;
      const call = log.announce("proposed", { request: id, tool, input: sha256(JSON.stringify(given)).slice(0, 32) });
      const decision = { decision: "allow", rule: "risk:R0", reason: "nothing is changed", risk: "R0" };
      log.announce("decided", { call, request: id, tool, validated: true, paths: [given?.path], ...decision });
      log.announce("started", { call, tool });
      return call;
    },
    after(call, members) {
      log.announce("completed", { call, tool, ms: 0.123, bytes: members.length, result: sha256(`{${members}}`) });
    },
    write: () => log.write(),
  };
}

const readFile = workerTools.find(({ name }) => name === "read_file");
let place: PlacePath | undefined;

/** @throws Failure for arguments that do not fit */
export function decideRead(root: string, { params }: Request): void {
  if (!readFile) throw new Error("Cannot measure: there is no read_file");
  place ??= createPlacePath([{ path: root, readOnly: false }]);
  const { input } = parseArguments(readFile, params?.arguments);
  const access = readFile.access(input as never);
  const targets = access === "all" ? [] : access.map((one) => placeTarget(one, place as PlacePath));
  const question = { tool: toolFacts(readFile), targets, removes: false, mode: "default" as const };
  const { type } = evaluate(question, { rules: [], grants: [] });
  if (type !== "allow") throw new Error(`Cannot measure: the read is decided with ${type}`);
}
