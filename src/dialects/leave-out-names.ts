/**
 * Sentences of ours without what they say about tools that the dialect does not list: a call of such a tool would be answered
 * with "there is no tool". What goes is a clause, an alternative or a remark in parentheses; what stands in quotes is
 * somebody's text and names nothing.
 */
const QUOTED = /"(?:[^"\\]|\\.)*"|`[^`]*`/g;
const BETWEEN_SENTENCES = /(?<=[.!?]) /;
const BETWEEN_CLAUSES = /(?:; |, or )/;
/** What ends a sentence, also one whose last clause goes. */
const END = /[.)\]]*$/;

/** @param plain names that are also English words, which name a tool only where it is to be used */
export function createLeaveOut(names: readonly string[], plain: ReadonlySet<string>): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const words = names.filter((name) => !plain.has(name));
  const verbs = names.filter((name) => plain.has(name));
  const named = new RegExp(
    [
      ...(words.length > 0 ? [String.raw`(?<![\w/.[-])(?:${words.join("|")})(?![\w/-]|\.\w)`] : []),
      ...(verbs.length > 0 ? [String.raw`\b[Uu]se (?:${verbs.join("|")})\b(?! of)`] : []),
    ].join("|"),
  );
  return (text) => {
    if (!named.test(text)) return text;
    const quotes: string[] = [];
    const bare = text.replaceAll(QUOTED, (quote) => `\u0000${quotes.push(quote) - 1}\u0000`);
    const left = leaveOut(
      bare.replaceAll(/ \([^()]*\)/g, (remark) => (named.test(remark) ? "" : remark)),
      named,
    );
    return left.replaceAll(/\u0000(\d+)\u0000/g, (_, index: string) => quotes[Number(index)] ?? "");
  };
}

function leaveOut(text: string, named: RegExp): string {
  return text
    .split(BETWEEN_SENTENCES)
    .map((sentence) => {
      if (!named.test(sentence)) return sentence;
      const end = END.exec(sentence)?.[0] ?? "";
      const clauses = sentence.slice(0, sentence.length - end.length).split(BETWEEN_CLAUSES);
      const kept = clauses.filter((clause) => !named.test(clause));
      return kept.length > 0 ? kept.join("; ") + end : end.replaceAll(/[^\]]/g, "");
    })
    .filter((sentence) => sentence !== "")
    .join(" ")
    .replaceAll(" ]", "]");
}
