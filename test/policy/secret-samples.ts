/**
 * Texts that an expression of secret names matches: every alternative is taken sooner or later, and what may be left out is left out half
 * of the time. Of what stands around (`(?!`, `(?<!`) nothing is made.
 */
export function sampleOf(expression: string, pick: (below: number) => number): string {
  let at = 0;

  const alternatives = (): string => {
    const all = [sequence()];
    while (expression[at] === "|") {
      at++;
      all.push(sequence());
    }
    return all[pick(all.length)] ?? "";
  };

  const sequence = (): string => {
    let text = "";
    while (at < expression.length && expression[at] !== "|" && expression[at] !== ")") {
      const began = at;
      let part = atom();
      const ended = at;
      const times = quantifier();
      for (let time = 1; time < times; time++) {
        const after = at;
        at = began;
        part += atom();
        at = after;
      }
      if (ended > began && times > 0) text += part;
    }
    return text;
  };

  const atom = (): string => {
    const sign = expression[at++] ?? "";
    if (sign === "\\") {
      const escaped = expression[at++] ?? "";
      return escaped === "d" ? String(pick(10)) : escaped;
    }
    if (sign === "[") return oneOfClass();
    if (sign !== "(") return sign;
    const kind = /^\?(?::|!|=|<!|<=)/.exec(expression.slice(at))?.[0] ?? "";
    at += kind.length;
    const inside = alternatives();
    at++;
    return kind === "?:" ? inside : "";
  };

  const oneOfClass = (): string => {
    const end = expression.indexOf("]", at + 1);
    const text = expression.slice(at, end).replace("\\d", "0123456789");
    at = end + 1;
    if (text.startsWith("^")) return "abcxyz0-_. "[pick(11)] ?? "a";
    const signs = text.replace(/(.)-(.)/g, (_, from: string, to: string) =>
      String.fromCodePoint(
        ...Array.from(
          { length: (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0) + 1 },
          (_one, n) => n + (from.codePointAt(0) ?? 0),
        ),
      ),
    );
    return signs[pick(signs.length)] ?? "";
  };

  const quantifier = (): number => {
    const [text = "", least, most] = /^(?:[?*+]|\{(\d+),(\d+)\})/.exec(expression.slice(at)) ?? [];
    at += text.length;
    if (text === "") return 1;
    if (text === "?") return pick(2);
    if (text === "*") return pick(3);
    if (text === "+") return 1 + pick(3);
    return Number(least) + pick(Number(most) - Number(least) + 1);
  };

  return alternatives();
}
