/**
 * Source text with a counter in it: one step for every call of a function and every turn of a loop, and for what hides in
 * an operator the characters or elements that it goes through: `===` on two strings, and spreading. Expressions are asked
 * through the counter.
 *
 * Invariant: the code does what it did. Usual mistake: to count only loops; a recursion is one, too.
 */
import { parseSync, Visitor, type VisitorObject } from "oxc-parser";

/** The name under which `step-counter.ts` can be reached from any module. */
export const COUNTER_NAME = "ringfenceSteps";

const STEP = `${COUNTER_NAME}.steps++`;

type Span = { readonly start: number; readonly end: number };

export function insertCounters(path: string, source: string): string {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(", ")}`);
  const cuts = createCuts();
  new Visitor(visitors(cuts)).visit(program);
  return cuts.apply(source);
}

function visitors(cuts: Cuts): VisitorObject {
  const enterFunction = ({ body }: { readonly body: (Span & { readonly type: string }) | null }): void => {
    if (body?.type === "BlockStatement" || body?.type === "FunctionBody") cuts.insert(body.start + 1, `${STEP};`);
    else if (body) cuts.wrap(body, `(${STEP},`, ")");
  };
  const enterLoop = ({ body }: { readonly body: Span & { readonly type: string } }): void => {
    if (body.type === "BlockStatement") cuts.insert(body.start + 1, `${STEP};`);
    else cuts.wrap(body, `{${STEP};`, "}");
  };
  return {
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    ArrowFunctionExpression: enterFunction,
    ForStatement: enterLoop,
    ForInStatement: enterLoop,
    ForOfStatement: enterLoop,
    WhileStatement: enterLoop,
    DoWhileStatement: enterLoop,
    SpreadElement: ({ argument }) => cuts.wrap(argument, `${COUNTER_NAME}.spread(`, ")"),
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== "MemberExpression" || callee.computed || first === undefined) return;
      if (callee.property.type !== "Identifier" || !/^(?:exec|test)$/.test(callee.property.name)) return;
      cuts.insert(callee.object.start, `${COUNTER_NAME}.${callee.property.name}(`);
      cuts.replace({ start: callee.object.end, end: first.start }, ",");
    },
    BinaryExpression(node) {
      const { operator, left, right } = node;
      // What is compared with a literal is as short as that.
      if ((operator !== "===" && operator !== "!==") || [left.type, right.type].includes("Literal")) return;
      cuts.wrap(node, `${operator === "===" ? "" : "!"}${COUNTER_NAME}.isSame(`, ")");
      cuts.replace({ start: left.end, end: right.start }, ",");
    },
  };
}

interface Cuts {
  readonly insert: (at: number, text: string) => void;
  /** What is entered later lies inside of what was entered before, also where both begin or end at one place. */
  readonly wrap: (span: Span, before: string, after: string) => void;
  readonly replace: (span: Span, text: string) => void;
  readonly apply: (source: string) => string;
}

function createCuts(): Cuts {
  const opening = new Map<number, string>();
  const closing = new Map<number, string>();
  const gone = new Map<number, { readonly end: number; readonly text: string }>();
  const insert = (at: number, text: string): void => void opening.set(at, (opening.get(at) ?? "") + text);
  return {
    insert,
    wrap(span, before, after) {
      insert(span.start, before);
      closing.set(span.end, after + (closing.get(span.end) ?? ""));
    },
    replace: (span, text) => void gone.set(span.start, { end: span.end, text }),
    apply(source) {
      const places = [...new Set([...opening.keys(), ...closing.keys(), ...gone.keys()])].sort((a, b) => a - b);
      let out = "";
      let kept = 0;
      for (const at of places) {
        const cut = gone.get(at);
        out +=
          source.slice(kept, Math.max(kept, at)) +
          (closing.get(at) ?? "") +
          (cut?.text ?? "") +
          (opening.get(at) ?? "");
        kept = Math.max(kept, cut?.end ?? at);
      }
      return out + source.slice(kept);
    },
  };
}
