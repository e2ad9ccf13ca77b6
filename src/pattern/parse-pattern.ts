/**
 * A pattern of names as nodes, in the syntax that picomatch has made usual:
 *
 *     pattern = { "!" } sequence
 *     sequence = { text | "*" | "**" | "?" | "[" class "]" | "{" sequence { "," sequence } "}" | [ sign ] "(" sequence { "|" sequence } ")" }
 *     sign = "@" | "?" | "*" | "+" | "!"
 *
 * A backslash takes the next character literally, and what is never closed is literal too. `**` crosses directories
 * only as a whole name. Behind a group or a class `+` repeats it; behind a group `?` makes it optional.
 *
 * Invariant: every text is a pattern, read in time that grows with its length. Usual mistake: to read a group that is
 * never closed again and again; `PatternText` knows beforehand.
 */
import { expandRange, MAX_NUMBERS, parseClass, PatternText } from "./pattern-text.ts";
import { DOT, end, globstar, more, named, notSlash, type PatternNode, SLASH, slash, star } from "./program.ts";

interface ParsedPattern {
  readonly nodes: readonly PatternNode[];
  readonly isNegated: boolean;
}

export interface PatternSyntax {
  /** Whether `*`, `?` and `**` stand for a dot at the beginning of a name too. */
  readonly dot: boolean;
  readonly ignoreCase: boolean;
}

export function parsePattern(text: string, syntax: PatternSyntax): ParsedPattern {
  let from = 0;
  while (text[from] === "!" && text[from + 1] !== "(") from++;
  let rest = text.slice(from);
  while (rest.startsWith("./")) rest = rest.slice(2);
  return { nodes: new Parser(rest, syntax).parse(), isNegated: from % 2 === 1 };
}

/** What stands before the place that is read. What was closed can be repeated. */
type Before = "start" | "slash" | "dot" | "star" | "open" | "paren" | "brace" | "class" | "other";

class Parser {
  readonly #of: PatternText;
  readonly #text: string;
  readonly #syntax: PatternSyntax;
  #at = 0;
  #before: Before = "start";
  #parens = 0;
  #braces = 0;
  #negations = 0;
  /** For numbers of ranges. */
  #room = MAX_NUMBERS;

  constructor(text: string, syntax: PatternSyntax) {
    this.#of = new PatternText(text);
    this.#text = text;
    this.#syntax = syntax;
  }

  parse(): readonly PatternNode[] {
    const [nodes = []] = this.#choices(this.#text.length, "");
    const mayEndInSlash = this.#before === "star" || this.#before === "class";
    return mayEndInSlash ? [...nodes, ofOneSign([slash, end], [])] : nodes;
  }

  /** Up to `until`, apart at the sign. */
  #choices(until: number, sign: string): PatternNode[][] {
    let nodes: PatternNode[] = [];
    const choices = [nodes];
    while (this.#at < until) {
      if (this.#text[this.#at] === sign) {
        this.#at++;
        this.#before = sign === "," ? "open" : "other";
        choices.push((nodes = []));
      } else this.#node(nodes);
    }
    return choices;
  }

  #node(nodes: PatternNode[]): void {
    const sign = this.#text[this.#at] ?? "";
    if ("@?*+!".includes(sign) && this.#of.isGroup(this.#at + 1)) return this.#group(nodes, sign);
    switch (sign) {
      case "*":
        return this.#stars(nodes);
      case "/":
        return this.#slash(nodes);
      case "(":
        return this.#of.isGroup(this.#at) ? this.#group(nodes, "") : this.#literal(nodes, 1);
      case "{":
        return this.#brace(nodes);
      case "[":
        return this.#class(nodes);
      case "?":
      case "+":
        return this.#mark(nodes, sign);
      case ".": {
        const isFirst = this.#before === "start" || this.#before === "slash" || this.#before === "open";
        this.#literal(nodes, 1);
        if (isFirst) this.#before = "dot";
        return undefined;
      }
      case "\\":
        return this.#escaped(nodes);
      default:
        return this.#literal(nodes, 1);
    }
  }

  #literal(nodes: PatternNode[], length: number): void {
    addText(nodes, this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
    this.#before = "other";
  }

  #escaped(nodes: PatternNode[]): void {
    if (this.#at + 1 < this.#text.length) this.#at++;
    if (this.#text[this.#at] === "/") return this.#slash(nodes);
    return this.#literal(nodes, 1);
  }

  #mark(nodes: PatternNode[], sign: string): void {
    const last = nodes.at(-1);
    const before = this.#before;
    const isRepeated = before === "paren" || (sign === "+" && (before === "class" || before === "brace"));
    if (isRepeated && last) {
      nodes[nodes.length - 1] =
        sign === "+" ? { kind: "repeat", nodes: [last], least: 1 } : { kind: "choice", choices: [[last], []] };
      this.#at++;
      this.#before = "other";
      return undefined;
    }
    if (sign === "+") return this.#literal(nodes, 1);
    const isFirst = !this.#syntax.dot && (this.#before === "start" || this.#before === "slash");
    nodes.push(isFirst ? { kind: "one", holds: (point) => point !== SLASH && point !== DOT } : notSlash);
    this.#at++;
    this.#before = "other";
  }

  #class(nodes: PatternNode[]): void {
    const close = this.#of.closers.get(this.#at);
    if (close === undefined) return this.#literal(nodes, 1);
    const { holds, isPlain } = parseClass(this.#text.slice(this.#at + 1, close), this.#syntax.ignoreCase);
    const one: PatternNode = { kind: "one", holds };
    // A name like `[id]` is matched as it stands, too.
    const text = this.#text.slice(this.#at, close + 1);
    nodes.push(isPlain ? { kind: "choice", choices: [[one], [{ kind: "text", text }]] } : one);
    this.#at = close + 1;
    this.#before = "class";
  }

  #brace(nodes: PatternNode[]): void {
    const close = this.#of.closers.get(this.#at);
    if (close === undefined) return this.#literal(nodes, 1);
    const range = expandRange(this.#text.slice(this.#at + 1, close), this.#room, this.#syntax.ignoreCase);
    if (range) {
      if (range.kind === "choice") this.#room -= range.choices.length;
      nodes.push(range);
      this.#at = close + 1;
      this.#before = "brace";
      return undefined;
    }
    this.#at++;
    this.#before = "open";
    this.#braces++;
    const choices = this.#choices(close, ",");
    this.#braces--;
    this.#at = close + 1;
    const [only = []] = choices;
    if (choices.length > 1) nodes.push({ kind: "choice", choices });
    else nodes.push({ kind: "text", text: "{" }, ...only, { kind: "text", text: "}" });
    this.#before = choices.length > 1 ? "brace" : "other";
  }

  #group(nodes: PatternNode[], sign: string): void {
    const start = this.#at + sign.length;
    const close = this.#of.closers.get(start) ?? start;
    this.#at = start + 1;
    this.#before = "open";
    this.#parens++;
    if (sign === "!") this.#negations++;
    const choices = this.#choices(close, "|");
    if (sign === "!") this.#negations--;
    this.#parens--;
    this.#at = close + 1;
    this.#before = "paren";
    const choice: PatternNode = { kind: "choice", choices: sign === "?" ? [...choices, []] : choices };
    if (sign === "!") this.#unless(nodes, choice, this.#of.ownText(start + 1, close));
    else if (sign === "*" || sign === "+") nodes.push({ kind: "repeat", nodes: [choice], least: sign === "+" ? 1 : 0 });
    else nodes.push(choice);
  }

  /**
   * `!(...)`: any name, or any path where the group holds a slash, of which the group is not the beginning, at the end
   * not the whole.
   */
  #unless(nodes: PatternNode[], choice: PatternNode, inner: string): void {
    const crosses = inner.length > 1 && inner.includes("/");
    const isWithEnding = inner.includes("*") && this.#parens + this.#braces === 0 && this.#of.isLastEnding(this.#at);
    const ending = isWithEnding ? new Parser(this.#text.slice(this.#at), this.#syntax).parse() : [];
    const whole = !isWithEnding && (crosses || this.#at >= this.#of.tail);
    nodes.push({ kind: "unless", nodes: [choice, ...ending], whole }, crosses ? globstar : star);
  }

  #stars(nodes: PatternNode[]): void {
    const before = this.#before;
    let count = 0;
    while (this.#text[this.#at + count] === "*" && !this.#of.isGroup(this.#at + count + 1)) count++;
    this.#at += Math.max(1, count);
    this.#before = "star";
    const isNested = before === "brace" && this.#braces > 0;
    const isWhole = count === 2 && (["start", "open", "paren"].includes(before) || isNested);
    if (isWhole) {
      this.#at = this.#of.pastRepeats(this.#at);
      if (before === "start" && this.#text[this.#at] === "/") {
        nodes.push(ofOneSign([], [slash], [globstar, slash]));
        this.#at++;
        this.#before = "slash";
        return undefined;
      }
      if (before === "start") nodes.push(this.#leading());
      const isThrough =
        this.#of.endsName(this.#at, this.#braces > 0) || (before === "start" && this.#of.isEnding(this.#at));
      nodes.push(isThrough ? globstar : star);
      return undefined;
    }
    if (before === "start" || before === "slash") nodes.push(this.#leading());
    if (before === "dot") nodes.push(named);
    if (count === 1 && (before === "start" || before === "slash" || before === "dot")) nodes.push(more);
    nodes.push(star);
    return undefined;
  }

  #leading(): PatternNode {
    return this.#syntax.dot ? named : { kind: "when", condition: "undotted" };
  }

  /** A slash, with the globstar behind it: `a/**` is `a` too, and `a/**` before a slash may be nothing. */
  #slash(nodes: PatternNode[]): void {
    const { before, text } = { before: this.#before, text: this.#text };
    this.#at++;
    this.#before = "slash";
    const isGlobstar = text.startsWith("**", this.#at) && text[this.#at + 2] !== "*" && !this.#of.isGroup(this.#at + 2);
    if (!isGlobstar) return addText(nodes, "/");
    const at = (this.#at = this.#of.pastRepeats(this.#at + 2));
    const through = [slash, this.#leading(), globstar];
    if (before !== "start" && before !== "star" && this.#isEnd(at)) nodes.push(ofOneSign(through, [end]));
    else if (before !== "start" && text[at] === "/") {
      nodes.push(ofOneSign([...through, slash], [slash], ...(at + 1 < text.length ? [[end]] : [])));
      this.#at++;
      return undefined;
    } else nodes.push(slash, this.#leading(), this.#of.endsName(at, this.#braces > 0) ? globstar : star);
    this.#before = "star";
    return undefined;
  }

  #isEnd(at: number): boolean {
    if (at === this.#text.length) return true;
    return this.#negations === 0 && this.#parens > 0 && at >= this.#of.tail && this.#text.length - at === this.#parens;
  }
}

function ofOneSign(...choices: readonly (readonly PatternNode[])[]): PatternNode {
  return { kind: "choice", choices, isOfOneSign: true };
}

function addText(nodes: PatternNode[], text: string): void {
  const last = nodes.at(-1);
  if (last?.kind === "text") nodes[nodes.length - 1] = { kind: "text", text: last.text + text };
  else nodes.push({ kind: "text", text });
}
