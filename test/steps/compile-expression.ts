/**
 * A tree of an expression as a list of instructions for a backtracking machine (`match-steps.ts`). Repetitions are written
 * out as often as they must match, so that the machine needs no counters.
 */
import { parseExpression, type Expression } from "./parse-expression.ts";

export type Instruction =
  | { readonly op: "character"; readonly holds: (unit: number) => boolean }
  | { readonly op: "edge"; readonly sign: "^" | "$" | "\\b" | "\\B" }
  | { readonly op: "again"; readonly index: number }
  | { readonly op: "save"; readonly slot: number }
  /** A turn of a loop that took no character is given up. */
  | { readonly op: "moved"; readonly slot: number }
  /** Goes on at `first`, and at `second` when that came to nothing. */
  | { readonly op: "fork"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | {
      readonly op: "look";
      readonly isNot: boolean;
      /** Behind: how far back its body can begin, at least and at most. */
      readonly behind: Width | undefined;
      readonly body: readonly Instruction[];
    }
  | { readonly op: "end" };

export interface Program {
  readonly code: readonly Instruction[];
  /** Places to remember: where the groups begin and end, and the turns of loops. */
  readonly slots: number;
  /** The expression can match only where the text begins. */
  readonly isAnchored: boolean;
  readonly isMultiline: boolean;
  readonly isInsensitive: boolean;
}

interface Emitter {
  code: Instruction[];
  slots: number;
  readonly flags: string;
}

export function compileExpression({ source, flags }: RegExp): Program {
  const { root, groups } = parseExpression(source);
  const out: Emitter = { code: [], slots: (groups + 1) * 2, flags: flags.replace(/[gyd]/g, "") };
  emit(root, out);
  out.code.push({ op: "end" });
  const isMultiline = flags.includes("m");
  return {
    code: out.code,
    slots: out.slots,
    isAnchored: !isMultiline && startsAtEdge(root),
    isMultiline,
    isInsensitive: flags.includes("i"),
  };
}

function emit(node: Expression, out: Emitter): void {
  const { code } = out;
  switch (node.kind) {
    case "character":
      code.push({ op: "character", holds: testOf(node.source, out.flags) });
      return;
    case "edge":
      code.push({ op: "edge", sign: node.sign });
      return;
    case "again":
      code.push({ op: "again", index: node.index });
      return;
    case "group":
      code.push({ op: "save", slot: node.index * 2 });
      emit(node.body, out);
      code.push({ op: "save", slot: node.index * 2 + 1 });
      return;
    case "sequence":
      for (const part of node.parts) emit(part, out);
      return;
    case "choice":
      emitChoice(node.parts, out);
      return;
    case "look":
      emitLook(node, out);
      return;
    case "repeat":
    default:
      emitRepeat(node, out);
  }
}

function emitChoice(parts: readonly Expression[], out: Emitter): void {
  const jumps: { to: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const fork = { op: "fork" as const, first: out.code.length + 1, second: 0 };
    if (index < parts.length - 1) out.code.push(fork);
    emit(part, out);
    const jump = { op: "jump" as const, to: 0 };
    jumps.push(jump);
    out.code.push(jump);
    fork.second = out.code.length;
  }
  for (const jump of jumps) jump.to = out.code.length;
}

function emitLook(node: Extract<Expression, { kind: "look" }>, out: Emitter): void {
  const inner: Emitter = { ...out, code: [] };
  emit(node.body, inner);
  inner.code.push({ op: "end" });
  out.slots = inner.slots;
  out.code.push({
    op: "look",
    isNot: node.isNot,
    behind: node.isBehind ? widthOf(node.body) : undefined,
    body: inner.code,
  });
}

function emitRepeat(node: Extract<Expression, { kind: "repeat" }>, out: Emitter): void {
  const { code } = out;
  for (let turn = 0; turn < node.least; turn++) emit(node.body, out);
  const fork = (): Extract<Instruction, { op: "fork" }> => {
    const made = { op: "fork" as const, first: code.length + 1, second: 0 };
    code.push(made);
    return made;
  };
  const leave = (made: { first: number; second: number }): void => {
    made.second = code.length;
    if (node.isLazy) [made.first, made.second] = [made.second, made.first];
  };
  if (node.most === Infinity) {
    const to = code.length;
    const loop = fork();
    // A turn that takes no character would go on for ever.
    const slot = node.body.kind === "character" ? undefined : out.slots++;
    if (slot !== undefined) code.push({ op: "save", slot });
    emit(node.body, out);
    if (slot !== undefined) code.push({ op: "moved", slot });
    code.push({ op: "jump", to });
    leave(loop);
    return;
  }
  const forks: { first: number; second: number }[] = [];
  for (let turn = node.least; turn < node.most; turn++) {
    forks.push(fork());
    emit(node.body, out);
  }
  forks.forEach(leave);
}

interface Width {
  readonly least: number;
  readonly most: number;
}

/** Characters that it takes. */
function widthOf(node: Expression): Width {
  const sum = (widths: readonly Width[]): Width => ({
    least: widths.reduce((all, { least }) => all + least, 0),
    most: widths.reduce((all, { most }) => all + most, 0),
  });
  if (node.kind === "character") return { least: 1, most: 1 };
  if (node.kind === "sequence") return sum(node.parts.map(widthOf));
  if (node.kind === "group") return widthOf(node.body);
  if (node.kind === "edge" || node.kind === "look") return { least: 0, most: 0 };
  return { least: 0, most: Infinity };
}

function startsAtEdge(node: Expression | undefined): boolean {
  if (node?.kind === "choice") return node.parts.every(startsAtEdge);
  if (node?.kind === "sequence") return startsAtEdge(node.parts[0]);
  if (node?.kind === "group") return startsAtEdge(node.body);
  return node?.kind === "edge" && node.sign === "^";
}

/** The runtime's own answer, asked once for each character. */
function testOf(source: string, flags: string): (unit: number) => boolean {
  const one = new RegExp(`^(?:${source})$`, flags.replace("m", ""));
  const known = new Uint8Array(0x10000);
  return (unit) => {
    if (known[unit] === 0) known[unit] = one.test(String.fromCharCode(unit)) ? 1 : 2;
    return known[unit] === 1;
  };
}
