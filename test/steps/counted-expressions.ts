/**
 * What regular expressions cost on a text, in steps of the backtracking machine. Every match is also asked of the runtime:
 * a machine that finds something else counts nothing that matters, so that is an error.
 */
import { compileExpression, type Program } from "./compile-expression.ts";
import { matchSteps } from "./match-steps.ts";

const programs = new Map<string, Program>();

/** The steps of one `exec` or `test`, from where the expression would begin. */
export function stepsOfExec(expression: RegExp, text: string): number {
  const { flags, lastIndex } = expression;
  return one(expression, text, /[gy]/.test(flags) ? lastIndex : 0).steps;
}

/** The steps of all matches, one behind the other, as `replace` and `split` look for them. */
export function stepsOfAll(expression: RegExp, text: string): number {
  let sum = 0;
  for (let from = 0; from <= text.length;) {
    const { steps, found } = one(expression, text, from);
    sum += steps;
    if (!found) break;
    from = found[1] === found[0] ? found[1] + 1 : found[1];
  }
  return sum;
}

function one(expression: RegExp, text: string, from: number): ReturnType<typeof matchSteps> {
  const { source, flags } = expression;
  const key = `/${source}/${flags}`;
  const program = programs.get(key) ?? compileExpression(expression);
  programs.set(key, program);
  if (from > text.length) return { steps: 1, found: undefined };
  const counted = matchSteps(program, text, from, flags.includes("y"));
  const asked = new RegExp(source, flags.includes("g") || flags.includes("y") ? flags : `${flags}g`);
  asked.lastIndex = from;
  const real = asked.exec(text);
  const [start, end] = counted.found ?? [-1, -1];
  if (start !== (real?.index ?? -1) || (real && end !== real.index + real[0].length))
    throw new Error(`${key} was counted wrongly: ${start} to ${end}, and not ${real?.index} with ${real?.[0].length}`);
  return counted;
}
