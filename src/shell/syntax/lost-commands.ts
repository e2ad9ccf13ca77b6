/**
 * Whether the text of a tree has the sign of an expansion where the grammar made no node of it: in a pattern, in a word,
 * behind the blanks at the start of a here-document. What stands there would run, and no reader of the tree would see it.
 */
import { words } from "../model.ts";
import type { SyntaxNode } from "./grammar.ts";

/** Nothing is expanded in them. */
const VERBATIM: ReadonlySet<string> = words(
  "raw_string ansi_c_string ansii_c_string comment heredoc_start heredoc_end",
);

/** In these the text counts whole; single quotes elsewhere may hold anything. */
const TEXTS: ReadonlySet<string> = words("string heredoc_body");

export function losesCommands(node: SyntaxNode): boolean {
  // What is recovered from may stand in a part that is not walked through, such as a value.
  if (node.type === "ERROR" || node.missing) return true;
  if (!node.named || VERBATIM.has(node.type)) return false;
  if (node.type === "heredoc_redirect" && isVerbatim(node))
    return node.children.some((child) => child.type !== "heredoc_body" && losesCommands(child));
  // A blank or a continued line in the middle: the grammar takes `$ $(x)` for `$$`.
  const isTorn =
    node.type === "simple_expansion" ? /\s/.test(node.text) : TEXTS.has(node.type) && /\$\\\n/.test(node.text);
  // Backquotes in a here-document are read by the text; a plain variable runs nothing anywhere.
  const signs = node.type.startsWith("heredoc_")
    ? /\\.|(\$(?:[([]|\{(?!\w+\})))/gs
    : /\\.|(`|\$(?:[([]|\{(?!\w+\})))/gs;
  const isLost = unread(node).some((text) => [...text.matchAll(signs)].some(([, sign]) => sign !== undefined));
  return isTorn || isLost || node.children.some(losesCommands);
}

/** A delimiter in quotes: the here-document is only text. */
export function isVerbatim({ children }: SyntaxNode): boolean {
  return /['"\\]/.test(children.find(({ type }) => type === "heredoc_start")?.text ?? "");
}

/** What stands between the children of a node; all of it if it has none. */
function unread({ text, start, children }: SyntaxNode): string[] {
  let at = 0;
  const gaps = children.map((child) => {
    const gap = text.slice(at, Math.max(at, child.start - start));
    at = Math.max(at, child.end - start);
    return gap;
  });
  return [...gaps, text.slice(at)];
}
