/**
 * An entry of a note: what the call brings, below a mark that the host makes of where the call came from. The change set has
 * no say in the mark, so a model cannot write one.
 *
 * Invariant: the file that is written is the one that the namespace names. A link in its place, or on the way to it, is
 * refused, because rules are about namespaces.
 */
import { decodeText, dominantEnding, formatBytes, withEnding } from "../../text/index.ts";
import { Failure, limits } from "../../base/index.ts";
import {
  appendEntry,
  fileOfNamespace,
  memoryRoot,
  MAX_MEMORY_BYTES,
  MAX_NAMESPACES,
  replaceEntries,
  walkNotes,
} from "../../memory/index.ts";
import type { Located } from "../../scope/index.ts";
import type { ForgetChange, NoteChange } from "../model.ts";
import { encodeOrFail, preparePut } from "./content.ts";
import { refusal, refuseObject, refuseStale } from "./context.ts";
import type { ChangeTarget, PreparedPart, Preparing } from "./context.ts";
import { findFile } from "./target.ts";
import { prepareDelete } from "./tree.ts";

/** @throws Failure `denied` for a link, `too_large` for more than a note or the memory may have, `not_text` */
export function prepareNote(change: NoteChange, ctx: Preparing): PreparedPart {
  const { namespace, content, mode, ifHash } = change;
  const { origin } = ctx;
  if (!origin) throw refusal("denied", "write", namespace, "nobody is known to have asked for it");
  refuseContent(content, namespace);
  const target = findNote(namespace, "write", ctx);
  refuseStale(target, ifHash, namespace, "write");
  const before = textOfNote(target, namespace, ctx);
  const text = mode === "append" ? appendEntry(before, content, origin) : replaceEntries(before, content, origin);
  const ending = dominantEnding(before);
  const bytes = encodeOrFail(ending === undefined ? text : withEnding(text, ending), "utf-8", namespace, "write");
  if (bytes.length > limits.MAX_NOTE_BYTES)
    throw refusal("too_large", "write", namespace, `a namespace has at most ${formatBytes(limits.MAX_NOTE_BYTES)}`, {
      hint: "Put a part of it into another namespace, or replace it by what still matters.",
    });
  refuseTooMuch(bytes.length, target, namespace, ctx);
  const operation = target.before.kind === "absent" ? "create" : mode === "append" ? "append" : "overwrite";
  return preparePut(target, bytes, ctx, { operation });
}

/** @throws Failure `not_found`, `stale`, `denied` for a link */
export function prepareForget({ namespace, ifHash }: ForgetChange, ctx: Preparing): PreparedPart {
  const target = findNote(namespace, "delete", ctx);
  if (target.before.kind === "absent")
    throw new Failure("not_found", `Cannot delete "${namespace}": there is no such namespace`, {
      hint: "memory_list shows what there is.",
    });
  refuseStale(target, ifHash, namespace, "delete");
  return prepareDelete({ op: "delete", path: pathOfNote(namespace, "delete", ctx), recursive: false }, ctx);
}

function pathOfNote(namespace: string, verb: string, { scope }: Preparing): string {
  return `${scope.absolute(memoryRoot(scope))}/${fileOfNamespace(namespace, verb)}`;
}

function findNote(namespace: string, verb: string, ctx: Preparing): ChangeTarget {
  const path = pathOfNote(namespace, verb, ctx);
  const target = findFile(ctx, path, verb);
  refuseElsewhere(ctx.scope.locate(path, verb), target, namespace);
  return target;
}

/** What the note says until now; of one that is not there nothing. */
function textOfNote(target: ChangeTarget, namespace: string, ctx: Preparing): string {
  if (target.before.kind === "absent") return "";
  refuseObject(target, "write", ctx);
  const decoded = decodeText(target.bytes ?? new Uint8Array());
  if (decoded.kind === "text") return decoded.text;
  throw refusal("not_text", "write", namespace, "its file holds something else than text");
}

/** Rules are about the name that was asked for, and marks of the host belong into files of the memory. */
function refuseElsewhere(asked: Located, { at }: ChangeTarget, namespace: string): void {
  if (asked.root.isMemory && at.root === asked.root && at.rel === asked.rel) return;
  throw refusal("denied", "write", namespace, "a link stands on the way, and notes are no links");
}

/** Signs that make a file binary to whoever reads it. */
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;

function refuseContent(content: string, namespace: string): void {
  if (content.trim() === "") throw refusal("invalid_input", "write", namespace, "the content has nothing but blanks");
  const index = content.search(CONTROL);
  if (index < 0) return;
  const code = content.charCodeAt(index).toString(16).padStart(4, "0");
  throw refusal("invalid_input", "write", namespace, `the control character U+${code} stands at index ${index}`, {
    hint: "Notes are text: leave it out.",
  });
}

function refuseTooMuch(bytes: number, { before }: ChangeTarget, namespace: string, ctx: Preparing): void {
  const now = before.kind === "absent" ? 0 : before.size;
  if (bytes <= now) return;
  const { notes, isCut } = walkNotes(ctx.scope, ctx.cancel);
  if (isCut || (before.kind === "absent" && notes.length >= MAX_NAMESPACES))
    throw refusal("too_large", "write", namespace, `the memory has at most ${MAX_NAMESPACES} namespaces`, TIDY);
  const all = notes.reduce((sum, { size }) => sum + size, bytes - now);
  if (all > MAX_MEMORY_BYTES)
    throw refusal("too_large", "write", namespace, `the memory has at most ${formatBytes(MAX_MEMORY_BYTES)}`, TIDY);
}

const TIDY = { hint: "Delete what is no longer needed with memory_delete." };
