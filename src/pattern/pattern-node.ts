/**
 * What patterns are made of. The few nodes that every pattern shares stand here once.
 */
export type CharacterTest = (point: number) => boolean;

/**
 * `end`, `more`: whether anything follows · `named`: the name here is neither "." nor ".." · `undotted`: it begins with no
 * dot · `through`: the next character is no way into a name that a globstar leaves out
 */
export type Condition = "end" | "more" | "named" | "undotted" | "through";

export type PatternNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "one"; readonly holds: CharacterTest }
  | { readonly kind: "choice"; readonly choices: readonly (readonly PatternNode[])[] }
  | { readonly kind: "repeat"; readonly nodes: readonly PatternNode[]; readonly least: 0 | 1 }
  /** Written out: as many steps as `most`, or one more than `least` where that is infinite. */
  | {
      readonly kind: "times";
      readonly nodes: readonly PatternNode[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: "when"; readonly condition: Condition }
  /** Nothing of `nodes` begins here; `whole`: and ends where the name ends. */
  | { readonly kind: "unless"; readonly nodes: readonly PatternNode[]; readonly whole: boolean };

export const SLASH = 0x2f;
export const DOT = 0x2e;
export const anything: PatternNode = { kind: "one", holds: () => true };
export const notSlash: PatternNode = { kind: "one", holds: (point) => point !== SLASH };
export const slash: PatternNode = { kind: "text", text: "/" };
export const star: PatternNode = { kind: "repeat", nodes: [notSlash], least: 0 };
export const globstar: PatternNode = {
  kind: "repeat",
  nodes: [{ kind: "when", condition: "through" }, anything],
  least: 0,
};
export const end: PatternNode = { kind: "when", condition: "end" };
export const more: PatternNode = { kind: "when", condition: "more" };
export const named: PatternNode = { kind: "when", condition: "named" };
