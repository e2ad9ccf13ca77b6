/**
 * The pages of Clarvis' `grep`: files, counts or lines with what is around them, cut at `head_limit` results from `offset` on.
 * Our answer begins at the offset already and holds as many results as there is room for.
 */
import { resolve } from "node:path";
import { grepText, type ShownGrep } from "../../packs/index.ts";
import type { PlainAnswer, Show } from "../dialect-table.ts";

interface Asked {
  readonly head_limit?: number;
  readonly offset?: number;
  readonly context?: number;
  readonly before_context?: number;
  readonly after_context?: number;
}

export const grepPage: Show = (call) => {
  const { given, structured } = call;
  const { head_limit: limit = 0, offset = 0, ...asked } = given as Asked;
  const answer = structured as unknown as ShownGrep;
  const count = (answer.matches ?? answer.paths ?? answer.counts ?? []).length;
  const { truncated } = answer;
  if (isNamedBinary(answer, call)) return "(no matches)";
  if (count === 0 && truncated) return INCOMPLETE;
  if (count === 0 && offset > 0) return `(no results at offset ${offset}; ${answer.skipped ?? 0} total)`;
  if (count === 0) return "(no matches)";
  const wanted = limit === 0 ? count : Math.min(limit, count);
  let page = pageOf(answer, asked, { offset, shown: wanted, count });
  for (let shown = wanted; Buffer.byteLength(page) > call.bytes && shown > 1;) {
    shown = Math.max(1, Math.floor((shown * call.bytes) / Buffer.byteLength(page)) - 1);
    page = pageOf(answer, asked, { offset, shown, count });
  }
  return page;
};

interface Part {
  readonly offset: number;
  readonly shown: number;
  readonly count: number;
}

function pageOf(answer: ShownGrep, asked: Asked, { offset, shown, count }: Part): string {
  const { truncated } = answer;
  const cut = {
    ...answer,
    ...(answer.matches ? { matches: answer.matches.slice(0, shown) } : {}),
    ...(answer.paths ? { paths: answer.paths.slice(0, shown) } : {}),
    ...(answer.counts ? { counts: answer.counts.slice(0, shown) } : {}),
  };
  const page = grepText(cut, {
    context: asked.context,
    before: asked.before_context,
    after: asked.after_context,
  });
  const next = offset + shown;
  const total = `${truncated ? "at least " : ""}${offset + count}`;
  const more = `[... showing ${offset}..${next} of ${total}; call again with offset=${next} for more ...]`;
  if (answer.stopped_by) return [page, ...(shown < count ? [more] : []), INCOMPLETE].join("\n");
  return shown < count || truncated ? `${page}\n${more}` : page;
}

/** A binary file has no matches there, also when it is named; ours is searched then, as by ripgrep. */
function isNamedBinary(
  { matches, paths, counts, totals }: ShownGrep,
  { given, roots: [root = "/"] }: PlainAnswer,
): boolean {
  const [first] = [...(matches ?? []), ...(counts ?? [])].map(({ path }) => path).concat(paths ?? []);
  if (totals.binary === 0 || first === undefined || typeof given["path"] !== "string") return false;
  // In a directory the file would be below it, and left out.
  return resolve(root, first) === resolve(root, given["path"]);
}

const INCOMPLETE =
  "[... search incomplete: not all files were searched. Narrow the pattern, path, or glob for complete results. ...]";
