/**
 * What a replacement would put where, in all files of a tree: grep names the files that match, and each of them is then read
 * whole and matched once more, with groups. Nothing is written here. The answer has places and new texts, and the hash of
 * the content that they were found in.
 *
 * Left as they are, and counted: matches of nothing, files that cannot be written back byte for byte, files that are too
 * large, and files that say that a program generates them. A search that was stopped is a failure, because half of a
 * replacement is none.
 */
import { closeSync, readSync } from "node:fs";
import { Failure, limits, sha256, throwIfStopped } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import {
  decodeText,
  encodeText,
  type EncodingName,
  type LegacyEncoding,
  spliceSpans,
  type TextSpan,
} from "../../text/index.ts";
import type { SearchContext } from "../context.ts";
import { MatchStopped } from "../engine/backtracking-matcher.ts";
import { TextTooLong } from "../engine/capturer.ts";
import { spentFailure } from "../engine/matcher.ts";
import { BudgetSpent } from "../engine/pcre-engine.ts";
import { grep } from "../grep/grep.ts";
import { type GrepAnswer, type GrepOptions, resolveGrep } from "../grep/grep-answer.ts";
import { startAnywhere } from "../walk/walk.ts";
import type { FileReplacements, FoundReplacements, LeftFile, ReplaceOptions } from "../replacements.ts";
import { openReplacer, type Replacer, TooMany } from "./open-replacer.ts";

/** @throws Failure `invalid_input`, `unsupported`, `not_found`, `outside_scope`, `denied`, `too_large`, `timed_out` */
export async function findReplacements(
  ctx: SearchContext,
  { replacement, legacy, ...asked }: ReplaceOptions,
): Promise<FoundReplacements> {
  const { limit: _limit, ...search } = asked as GrepOptions;
  const plan = resolveGrep({ ...search, output: "files" });
  const isNamed = startAnywhere(ctx, asked.path, "replace in").isFile;
  using replacer = await openReplacer(plan, replacement, ctx.cancel);
  const found = await filesThatMatch(ctx, search);
  const state: Gathered = { files: [], left: [], first: [], matches: 0, empty: 0, bytes: 0 };
  const run = { ctx, replacer, legacy, pattern: asked.pattern, takesGenerated: isNamed || asked.no_ignore === true };
  const paths = found.paths ?? [];
  for (const [index, path] of paths.entries()) {
    throwIfStopped(ctx.cancel, "the replacement");
    const turn = ctx.turn?.pause();
    if (turn) await turn;
    ctx.progress(index, paths.length, "files looked into");
    const why = replaceIn(run, path, state);
    if (why !== undefined) state.left.push({ path, why });
  }
  const { files, left, first, matches, empty } = state;
  return {
    isNamed,
    files,
    left,
    first,
    matches,
    empty,
    totals: found.totals,
    ...(found.hint ? { hint: found.hint } : {}),
  };
}

/** The size of an answer that fits every matching file; a change of more files is refused. */
const ROOM_BYTES: number = 16 * 1024 * 1024;

async function filesThatMatch(ctx: SearchContext, search: GrepOptions): Promise<GrepAnswer> {
  const all = { ...ctx, bounds: { usualBytes: ROOM_BYTES, mostBytes: ROOM_BYTES } };
  const found = await grep(all, { ...search, output: "files", limit: limits.MAX_REPLACE_FILES });
  if (found.stopped_by) throwIfStopped({ state: () => found.stopped_by ?? "none" }, "the replacement");
  if (!found.truncated) return found;
  throw tooMany(search.pattern, `more than ${found.paths?.length ?? 0} files match`);
}

interface Gathered {
  readonly files: FileReplacements[];
  readonly left: LeftFile[];
  readonly first: { readonly path: string; readonly line: number }[];
  matches: number;
  empty: number;
  /** How much new text there is. */
  bytes: number;
}

interface ReplaceRun {
  readonly ctx: SearchContext;
  readonly replacer: Replacer;
  readonly legacy: LegacyEncoding | undefined;
  readonly pattern: string;
  readonly takesGenerated: boolean;
}

/** @returns why the file is left as it is */
function replaceIn(run: ReplaceRun, path: string, to: Gathered): string | undefined {
  const { ctx, replacer, pattern } = run;
  const bytes = readWhole(ctx, path);
  if (typeof bytes === "string") return bytes;
  const decoded = decodeText(bytes, run.legacy === undefined ? {} : { legacy: run.legacy });
  if (decoded.kind === "not_text") return "not text that can be written back";
  if (!run.takesGenerated && isGenerated(decoded.text)) return "generated";
  const text = Buffer.from(decoded.text, "utf8");
  try {
    const { spans, matches, empty } = replacer.replacements(text, decoded.text, limits.MAX_REPLACEMENTS - to.matches);
    to.empty += empty;
    if (matches.length > 0 && !canBeWritten(text, spans, decoded.encoding)) return "cannot hold the new text";
    to.matches += matches.length;
    to.bytes += spans.reduce((sum, [, , added]) => sum + Buffer.byteLength(added), 0);
    if (to.bytes > limits.MAX_REPLACE_TEXT_BYTES) throw tooMany(pattern, "the new text of all matches is too much");
    for (const start of matches.slice(0, FIRST_PLACES - to.first.length))
      to.first.push({ path, line: lineAt(text, start) });
    if (spans.length > 0) to.files.push({ path, seen: sha256(bytes), spans });
    return undefined;
  } catch (thrown) {
    return whyLeft(thrown, run, path);
  }
}

const FIRST_PLACES = 5;

function whyLeft(thrown: unknown, { ctx, pattern }: ReplaceRun, path: string): string {
  if (thrown instanceof TextTooLong) return TOO_LARGE;
  if (thrown instanceof TooMany) throw tooMany(pattern, `there are more than ${limits.MAX_REPLACEMENTS} matches`);
  if (thrown instanceof BudgetSpent) throw spentFailure(pattern, path);
  if (thrown instanceof MatchStopped) throwIfStopped(ctx.cancel, "the replacement");
  throw thrown;
}

const TOO_LARGE = "too large";

/** @returns why there is nothing to work on */
function readWhole(ctx: SearchContext, path: string): Buffer | string {
  let fd: number | undefined;
  try {
    const file = ctx.scope.openFile(ctx.scope.locate(path, "replace in"), "replace in");
    fd = file.fd;
    if (Number(file.stat.size) > Math.min(limits.MAX_REPLACE_FILE_BYTES, ctx.bounds?.maxFileBytes ?? Infinity))
      return TOO_LARGE;
    const bytes = Buffer.allocUnsafeSlow(Number(file.stat.size));
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(fd, bytes, length, bytes.length - length, length);
    return bytes.subarray(0, length);
  } catch (thrown) {
    // Gone or closed meanwhile, or a disk that fails.
    if (thrown instanceof Failure || (thrown instanceof Error && "syscall" in thrown)) return "unreadable";
    throw thrown;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** How far from the top a file says that nobody is to edit it. */
const HEAD_CHARS = 2048;

/** The two signs that are agreed on: https://go.dev/s/generatedcode and `@generated`. */
const GENERATED = /@generated\b|\bcode generated\b.*\bdo not edit\b/i;

function isGenerated(text: string): boolean {
  return GENERATED.test(text.slice(0, HEAD_CHARS));
}

function canBeWritten(text: Buffer, spans: readonly TextSpan[], encoding: EncodingName): boolean {
  const encoded = encodeText(spliceSpans(text, spans), encoding);
  return encoded.kind === "bytes" && encoded.bytes.length <= limits.MAX_WRITE_BYTES;
}

function lineAt(text: Buffer, offset: number): number {
  let line = 1;
  for (let at = text.indexOf(LF); at >= 0 && at < offset; at = text.indexOf(LF, at + 1)) line++;
  return line;
}

const LF = 10;

function tooMany(pattern: string, state: string): Failure {
  return new Failure("too_large", `Cannot replace "${quotable(pattern)}": ${state}`, {
    hint: `One change takes at most ${limits.MAX_REPLACE_FILES} files and ${limits.MAX_REPLACEMENTS} matches. Narrow it by path or include.`,
  });
}
