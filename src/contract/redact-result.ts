/**
 * A tool's answer without the secrets that it would show. Raw bytes cannot be answered in part, so they are refused.
 */
import { Failure } from "../base/index.ts";
import type { ToolResult } from "./result.ts";

export type Redact = (text: string) => { readonly text: string; readonly count: number };

/** @throws Failure `denied` for base64 of what holds a secret */
export function redactResult(result: ToolResult, redact: Redact, withStructured: boolean): ToolResult {
  if (result.structured["kind"] === "base64") return refuseSecretBytes(result, redact);
  const text = redact(result.text);
  const note = redact(result.note ?? "");
  const structured = withStructured ? redact(JSON.stringify(result.structured)) : { text: "", count: 0 };
  const count = Math.max(text.count + note.count, structured.count);
  if (count === 0) return result;
  const said = saySecrets(count);
  return {
    ...result,
    text: text.text,
    note: note.text === "" ? said : `${note.text}\n${said}`,
    structured:
      structured.count === 0
        ? result.structured
        : { ...(JSON.parse(structured.text) as Record<string, unknown>), secrets: count },
  };
}

export function saySecrets(count: number): string {
  return `[${count === 1 ? "1 secret is" : `${count} secrets are`} replaced by a placeholder; what it stands for cannot be read or written]`;
}

function refuseSecretBytes(result: ToolResult, redact: Redact): ToolResult {
  const bytes = Buffer.from(String(result.structured["data"]), "base64").toString("latin1");
  if (redact(bytes).count === 0) return result;
  throw new Failure("denied", "Cannot give the bytes: they hold a secret", {
    hint: "Read it as text: secrets are replaced by placeholders there.",
  });
}
