/**
 * Plays the tries of one configuration against one compiled host, one after the other, and gives what did not hold. After each
 * the host must answer a ping, what lies outside must be as it was, and at the end the host must end with its input.
 *
 * A variation changes how a try is spelt. It may be refused for another reason than the line says, so of its outcome only
 * "not done" counts; that nothing changed and that nothing was shown counts as ever.
 */
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Place, proposalOf, ServeProcess, type WireMessage } from "../binary/serve-process.ts";
import { judgeTry } from "./judge-try.ts";
import { layFiles, pictureOf } from "./lay-files.ts";
import type { Configuration, Try } from "./read-tries.ts";

export interface Variation {
  /** The name of the folder of a try. */
  readonly folderOf: (index: number) => string;
  /** How the path of that folder is written in a call. */
  readonly spell: (folder: string, root: string) => string;
  /** How a command line is written. */
  readonly line: (line: string) => string;
}

export const AS_WRITTEN: Variation = {
  folderOf: (index) => `t${index}`,
  spell: (folder) => folder,
  line: (line) => line,
};

/** @returns what broke, a line each */
export async function playTries(
  configuration: Configuration,
  tries: readonly Try[],
  variation: Variation = AS_WRITTEN,
): Promise<string[]> {
  using place = new Place();
  const field = layField(place, configuration);
  await using host = await ServeProcess.start(place, {
    args: ["--config", field.fill(configuration.given_as ?? configuration.written_at), ...field.args],
    // What a command could read of its host.
    env: { ATTACK: "CANARY of the environment" },
  });
  const before = pictureOf(field.signs.O);
  const broken: string[] = [];
  for (const [index, one] of tries.entries()) {
    const problems = await playTry(host, one, index, field, variation);
    broken.push(...problems.map((problem) => `${one.area}: ${one.what}: ${problem}`));
    if (pictureOf(field.signs.O) !== before) return [...broken, `${one.what}: changed what lies outside`];
  }
  await host.close();
  return broken;
}

interface Field {
  readonly signs: Readonly<Record<"P" | "R" | "V" | "L" | "O" | "S", string>>;
  readonly args: readonly string[];
  readonly fill: (text: string) => string;
}

function layField(place: Place, configuration: Configuration): Field {
  const top = realpathSync(place.path);
  const signs = {
    P: top,
    R: place.root,
    V: join(top, "second"),
    L: join(top, "only read"),
    O: join(top, "outside"),
    S: place.stateDir,
  };
  const fill = (text: string): string => fillSigns(text, signs);
  for (const path of [signs.V, signs.L, signs.O]) mkdirSync(path);
  writeFileSync(join(signs.O, "secret.txt"), "CANARY outside\n");
  writeFileSync(join(signs.L, "fixed.txt"), "fixed\n");
  const at = fill(configuration.written_at);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, JSON.stringify(configuration.config));
  layFiles(signs.R, configuration.files, fill);
  return { signs, fill, args: configuration.args.map(fill) };
}

async function playTry(
  host: ServeProcess,
  one: Try,
  index: number,
  field: Field,
  variation: Variation,
): Promise<string[]> {
  const folder = variation.folderOf(index);
  const own = join(field.signs.R, folder);
  layFiles(own, one.files, (text) => fillSigns(text, { ...field.signs, T: folder }));
  const before = watched(field, own);
  const answers: WireMessage[] = [];
  const signs: Record<string, string> = { ...field.signs, T: variation.spell(folder, field.signs.R) };
  for (const [at, [name, given]] of one.calls.entries()) {
    const isBeside = name.startsWith("@");
    const filled = fillAll(given, isBeside ? { ...signs, T: folder } : signs, variation);
    const args = filled as Record<string, unknown>;
    if (isBeside) doBeside(name, args, signs);
    else {
      const id = `${index}/${at}`;
      if (name.includes("/")) host.request(id, name, args);
      else host.call(id, name, args);
      const answer = await host.answer(id);
      answers.push(answer);
      rememberProposal(answer, signs);
    }
  }
  await takeBack(host, index, answers);
  await host.ask(`${index} ping`, "ping");
  const unchanged = before === watched(field, own);
  return judgeTry(one, answers, { own, unchanged, exact: variation === AS_WRITTEN });
}

/** What a try was granted must not help the next one. */
async function takeBack(host: ServeProcess, index: number, answers: readonly WireMessage[]): Promise<void> {
  for (const answer of answers) {
    const granted = (answer.result?.["grant"] as { id?: string } | undefined)?.id;
    if (granted !== undefined) await host.ask(`${index} revoke`, "ringfence/grants/revoke", { id: granted });
  }
}

/** The folder of the try, and all that no try may change. */
function watched({ signs }: Field, own: string): string {
  return [own, signs.V, signs.L].map(pictureOf).join("");
}

function doBeside(name: string, args: Record<string, unknown>, signs: Readonly<Record<string, string>>): void {
  if (name === "@write") return writeFileSync(String(args["path"]), String(args["content"]));
  if (name !== "@tamper") throw new Error(`Cannot do ${name}: only @write and @tamper are known`);
  const folder = join(signs["S"] ?? "", "proposals");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.includes(signs["ID"] ?? "no proposal") || !file.endsWith(".json")) continue;
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(String(args["from"]), String(args["to"])));
  }
}

function rememberProposal(answer: WireMessage, signs: Record<string, string>): void {
  if (answer.result?.["_meta"]?.["dev.ringfence/proposal"] === undefined) return;
  const { id, digest } = proposalOf(answer);
  signs["ID"] = id;
  signs["DIGEST"] = String(digest);
}

function fillAll(value: unknown, signs: Readonly<Record<string, string>>, { line }: Variation, key = ""): unknown {
  if (typeof value === "string") return fillSigns(key === "command" ? line(value) : value, signs);
  if (Array.isArray(value)) return value.map((one) => fillAll(one, signs, { ...AS_WRITTEN, line }));
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).map(([name, one]) => [
    fillSigns(name, signs),
    fillAll(one, signs, { ...AS_WRITTEN, line }, name),
  ]);
  return Object.fromEntries(pairs);
}

function fillSigns(text: string, signs: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(ID|DIGEST|[PRVLOST])\b/g, (whole, sign: string) => signs[sign] ?? whole);
}
