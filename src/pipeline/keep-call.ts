/**
 * A call that has ended, kept so that it can be made again (`keep_calls`), or handed to whoever is making it again. A call whose
 * arguments hold a secret is kept without them.
 */
import { failureText, type FailureData } from "../base/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { KeptCall } from "../state/index.ts";
import { comparableHash, idsIn } from "./answer/comparable.ts";
import type { Assessed, Call, CallRecord } from "./call.ts";
import type { Services } from "./services.ts";

interface Ended {
  readonly assessed?: Assessed | undefined;
  readonly outcome?: Outcome;
  readonly failure?: FailureData;
}

/** Costs nothing where nobody keeps calls. */
export function keepCall(host: Services, call: Call, record: CallRecord, { assessed, outcome, failure }: Ended): void {
  if (!host.keepCall || record.id === "") return;
  const text = outcome?.members ?? JSON.stringify(failure ? failureText(failure) : "");
  const meta = decidingMeta(call);
  const ids = idsIn(text);
  host.keepCall({
    call: record.id,
    name: call.name,
    ...argumentsOf(host, call),
    ...(call.job ? { as: call.job.name } : {}),
    ...(call.isDryRun ? { dry: true as const } : {}),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
    ...(assessed ? { decision: assessed.decision.type } : {}),
    ...(failure ? { code: failure.code } : {}),
    answer: comparableHash(host.config, text),
    ...(record.changed === undefined ? {} : { changed: record.changed }),
    ...(ids.length === 0 ? {} : { ids }),
  });
}

function argumentsOf({ redactor }: Services, call: Call): Pick<KeptCall, "arguments" | "withheld"> {
  const given = call.arguments ?? {};
  const text = JSON.stringify(given);
  return redactor && redactor(text).text !== text ? { withheld: "secret" } : { arguments: given };
}

const DECIDING = ["agent", "provider", "skill", "mode"] as const;

function decidingMeta({ meta }: Call): Readonly<Record<string, string>> {
  return Object.fromEntries(
    DECIDING.map((name) => `dev.ringfence/${name}`).flatMap((key) => {
      const value = meta[key];
      return typeof value === "string" ? [[key, value] as const] : [];
    }),
  );
}
