/**
 * Whether a pattern names paths in a form in which nobody asks for one: with an empty name, `.` or `..` in them, as `{./a,b}`
 * and `a/{b,}` do. Such a part of a pattern matches nothing, and nothing else tells whoever wrote it.
 *
 * It goes through the nodes of the pattern with everything that the name in hand can be so far. What a sign such as `*`
 * stands for is never odd, since it can stand for something else; what a group offers is looked at choice by choice. Each node is
 * looked at once for each of four beginnings of a name, so the time grows with the length of the pattern.
 */
import { parsePattern } from "./parse-pattern.ts";
import { type CharacterTest, DOT, globstar, type PatternNode, SLASH, star } from "./program.ts";

/** A name so far: empty, dots, or one that is a name whatever follows. */
type Name = "" | "." | ".." | "x";

export type OddName = Exclude<Name, "x">;

/** The first name that no path has, in any of the paths that a pattern of paths names; `undefined` when it has none. */
export function findOddName(pattern: string): OddName | undefined {
  const { nodes } = parsePattern(pattern, { dot: true, ignoreCase: true });
  const walk = new NameWalk();
  // Before the slash of an absolute pattern nothing is missing.
  const ends = walk.through(nodes, new Set([pattern.startsWith("/") ? "x" : ""]));
  for (const name of ends) walk.end(name);
  return walk.odd;
}

class NameWalk {
  readonly #known = new Map<PatternNode, Map<Name, ReadonlySet<Name>>>();
  odd: OddName | undefined;

  /** A name ends here, by a slash or with the path. */
  end(name: Name): void {
    if (name !== "x") this.odd ??= name;
  }

  through(nodes: readonly PatternNode[], from: ReadonlySet<Name>): ReadonlySet<Name> {
    return nodes.reduce((names, node) => unite([...names].map((name) => this.#behind(node, name))), from);
  }

  #behind(node: PatternNode, name: Name): ReadonlySet<Name> {
    if (node === star || node === globstar) return ANY;
    switch (node.kind) {
      case "text":
        return new Set([Array.from(node.text).reduce<Name>((before, sign) => this.#step(before, sign), name)]);
      case "one":
        return unite(signsOf(node.holds).map((sign) => new Set([this.#step(name, sign)])));
      case "when":
      case "unless":
        return new Set([name]);
      case "choice":
      case "repeat":
      case "times":
        return this.#once(node, name);
    }
  }

  /** Groups lie in each other, and what is in one is asked for again and again. */
  #once(node: Extract<PatternNode, { kind: "choice" | "repeat" | "times" }>, name: Name): ReadonlySet<Name> {
    const known = this.#known.get(node) ?? new Map<Name, ReadonlySet<Name>>();
    this.#known.set(node, known);
    const found = known.get(name) ?? this.#group(node, name);
    known.set(name, found);
    return found;
  }

  #group(node: Extract<PatternNode, { kind: "choice" | "repeat" | "times" }>, name: Name): ReadonlySet<Name> {
    if (node.kind === "choice") {
      if (node.isOfOneSign) return this.#anyOf(node.choices, name);
      return unite(node.choices.map((choice) => this.through(choice, new Set([name]))));
    }
    let reached: ReadonlySet<Name> = node.least === 0 ? new Set([name]) : this.through(node.nodes, new Set([name]));
    for (let size = 0; size < reached.size;) {
      size = reached.size;
      reached = unite([reached, this.through(node.nodes, reached)]);
    }
    return reached;
  }

  /** One choice without an odd name is enough. */
  #anyOf(choices: readonly (readonly PatternNode[])[], name: Name): ReadonlySet<Name> {
    const ways = choices.map((nodes) => {
      if (nodes.some((node) => node.kind === "when" && node.condition === "end")) return NONE;
      const walk = new NameWalk();
      const ends = walk.through(nodes, new Set([name]));
      return walk.odd === undefined ? ends : NONE;
    });
    const found = unite(ways);
    if (found.size === 0) this.end(name);
    return found;
  }

  #step(before: Name, sign: string): Name {
    if (sign === "/") {
      this.end(before);
      return "";
    }
    if (sign !== ".") return "x";
    return before === "" ? "." : before === "." ? ".." : "x";
  }
}

const NONE: ReadonlySet<Name> = new Set();
const ANY: ReadonlySet<Name> = new Set(["x"]);

function unite(all: readonly ReadonlySet<Name>[]): ReadonlySet<Name> {
  return new Set(all.flatMap((names) => [...names]));
}

/** What a class stands for: a sign of a name where it can, else those that it has of a dot and a slash. */
function signsOf(holds: CharacterTest): readonly string[] {
  const odd = [DOT, SLASH].filter(holds).map((point) => String.fromCodePoint(point));
  return odd.length === 0 || ORDINARY.some(holds) ? ["x"] : odd;
}

/** ASCII without these two: a class that holds one of them and something beyond ASCII alone is nobody's. */
const ORDINARY: readonly number[] = Array.from({ length: 0x80 }, (_, point) => point).filter(
  (point) => point !== DOT && point !== SLASH,
);
