/**
 * The colours of a hunk, made in a thread that is ended when it takes too long: the texts are somebody else's, and a regular
 * expression of a language can be led into hours of work. Without an answer in time a hunk has no colours, and nothing waits.
 */
import { reportBug } from "../../base/index.ts";
import { Pool, type JobHandler } from "../../pool/index.ts";
import { tokensOf, type ColorableRow, type Token } from "../../review/index.ts";

/** Nobody waits longer for colours. */
const LIMIT_MS = 200;

export type HunkTokens = readonly (readonly Token[])[];

export interface Colorist extends Disposable {
  tokens(path: string, rows: readonly ColorableRow[]): Promise<HunkTokens | undefined>;
}

export function openColorist(): Colorist {
  const pool = new Pool({ entry: "highlight", size: 1, config: "", repeatable: true, onBug: reportBug });
  // Loading the languages takes longer than any text; nobody has asked for one yet.
  pool
    .run({ name: "color", input: job("a.ts", [{ kind: "same", raw: "" }]), timeoutMs: 10_000 })
    .catch(() => undefined);
  return {
    async tokens(path, rows) {
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => late.resolve(undefined), LIMIT_MS);
      const running = pool
        .run({ name: "color", input: job(path, rows), timeoutMs: LIMIT_MS })
        .then(({ payload }) => (JSON.parse(payload) as HunkTokens | null) ?? undefined)
        // Colours are never worth a failure.
        .catch(() => undefined);
      try {
        return await Promise.race([running, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.dispose]: () => pool.close(),
  };
}

function job(path: string, rows: readonly ColorableRow[]): string {
  return JSON.stringify({ path, rows: rows.map(({ kind, raw }) => ({ kind, raw })) });
}

/** The side of the thread. */
export function createColorHandler(): JobHandler {
  return (_name, input) => {
    const { path, rows } = JSON.parse(input) as { readonly path: string; readonly rows: readonly ColorableRow[] };
    return { payload: JSON.stringify(tokensOf(path, rows) ?? null) };
  };
}
