/**
 * What an answer came to, and whether a try held. `asked` is a proposal or a question to the person, `denied` the
 * failure of that code, `refused` any other failure; whatever else was answered is `done`.
 *
 * A word that must not be shown is looked for in the whole message, so also in its `_meta`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WireMessage } from "../binary/serve-process.ts";
import type { Try } from "./read-tries.ts";

export type Outcome = "denied" | "asked" | "refused" | "done";

/**
 * @param own the folder of the try
 * @param exact whether the very outcome counts, or only that it was not done
 */
export function judgeTry(
  { holds }: Try,
  answers: readonly WireMessage[],
  { own, unchanged, exact }: { readonly own: string; readonly unchanged: boolean; readonly exact: boolean },
): string[] {
  const problems: string[] = [];
  const last = answers.at(-1);
  const came = last ? outcomeOf(last) : "refused";
  const text = answers.map((one) => JSON.stringify(one)).join("\n");
  const said = JSON.stringify(last?.result ?? last?.error ?? "nothing was asked").slice(0, 400);
  if (!fits(came, holds.outcome, exact)) problems.push(`${came} and not ${holds.outcome}: ${said}`);
  if (!holds.changes && !unchanged) problems.push(`it changed files: ${said}`);
  if (exact && holds.changes && unchanged) problems.push(`it changed nothing: ${said}`);
  for (const word of ["CANARY", ...holds.hidden])
    if (text.includes(word)) problems.push(`it shows ${word}: ${text.slice(0, 400)}`);
  if (exact)
    for (const word of holds.shown)
      if (!wordsOf(last).includes(word)) problems.push(`it lacks ${word}: ${wordsOf(last)}`);
  for (const [name, contents] of Object.entries(holds.leaves)) {
    const held = readFileSync(join(own, name), "utf8");
    if (!contents.includes(held)) problems.push(`${name} holds ${held}`);
  }
  if (holds.gone !== undefined && isRunning(holds.gone)) problems.push(`${holds.gone} runs on`);
  return problems;
}

export function outcomeOf(message: WireMessage): Outcome {
  if (message.error) return codeOutcome(JSON.stringify(message.error.data ?? ""));
  const meta: unknown = message.result?.["_meta"];
  const failure = (meta as Record<string, { code?: string }> | undefined)?.["dev.ringfence/failure"];
  if (failure) return codeOutcome(JSON.stringify(failure.code ?? ""));
  if (message.result?.["isError"] === true) return "refused";
  const proposal = (meta as Record<string, unknown> | undefined)?.["dev.ringfence/proposal"];
  return proposal === undefined ? "done" : "asked";
}

function codeOutcome(text: string): Outcome {
  if (text.includes('"needs_approval"')) return "asked";
  return text.includes('"denied"') ? "denied" : "refused";
}

function fits(came: Outcome, wanted: Try["holds"]["outcome"], exact: boolean): boolean {
  if (wanted === "any") return true;
  if (wanted === "done") return !exact || came === "done";
  return exact && wanted !== "kept" ? came === wanted : came !== "done";
}

/** As the last answer has it, without the escapes of JSON. */
function wordsOf(message: WireMessage | undefined): string {
  const texts: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(take);
  };
  take(message?.result ?? message?.error);
  return texts.join("\n");
}

/** Linux only; elsewhere nothing is started. */
function isRunning(part: string): boolean {
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(join("/proc", pid, "cmdline"), "utf8")
        .replaceAll("\0", " ")
        .includes(part);
    } catch {
      return false;
    }
  });
}
