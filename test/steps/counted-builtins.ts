/**
 * What the runtime's own functions cost, in characters, bytes or elements that they go through, for as long as a count
 * goes on. A loop in JavaScript is seen by its counter; `indexOf` in a loop would look like one step.
 *
 * Not seen: `<` on strings, keys of maps and sets (a hash goes once through each), and how far back a search for a word
 * goes inside of `indexOf`. `exec` and `test` of expressions are counted where they are called (`insert-counters.ts`):
 * the runtime is never again as fast after they were replaced, even for a moment. Slices of strings share their text
 * and cost one step. The clock stands still, so that nothing that is counted ends early on a slow machine.
 */
import { stepsOfAll, stepsOfExec } from "./counted-expressions.ts";
import { counter, sizeOf } from "./step-counter.ts";

/** Steps, from the object, the arguments and what came out. */
type Cost = (self: never, args: readonly unknown[], result: unknown) => number;

const length: Cost = (self) => sizeOf(self);
const ofResult: Cost = (_self, _args, result) => sizeOf(result);
const ofFirst: Cost = (_self, [first]) => sizeOf(first);

/** From where it began to look to where it found. */
const forward: Cost = (self: string | unknown[], [wanted, from], result) => {
  const start = Math.max(0, typeof from === "number" ? from : 0);
  const isFound = typeof result === "number" ? result >= 0 : result === true;
  if (!isFound) return Math.max(0, self.length - start);
  const at = typeof result === "number" ? result : Array.prototype.indexOf.call(self, wanted);
  return Math.max(0, at - start) + (typeof wanted === "string" ? wanted.length : 1);
};
const backward: Cost = (self: string, [, from], result) => {
  const start = Math.min(self.length, typeof from === "number" ? from : self.length);
  return Math.max(0, start - Math.max(0, result as number));
};
const trimmed: Cost = (self: string, _args, result) => self.length - (result as string).length;
/** Every place where the expression is tried, and all characters that are copied. */
const rewritten: Cost = (self: string, [what], result) =>
  (what instanceof RegExp ? (/[gy]/.test(what.flags) ? stepsOfAll : stepsOfExec)(what, self) : self.length) +
  sizeOf(result);
const spliced: Cost = (self: unknown[], [start, gone]) =>
  Math.max(0, self.length - Number(start ?? 0)) + Number(gone ?? 0);
const joined: Cost = (self: unknown[], _args, result) => self.length + sizeOf(result);
const sorted: Cost = (self: unknown[], [compare]) =>
  compare ? self.length : self.length * Math.ceil(Math.log2(self.length + 2));

const STRING: Record<string, Cost> = {
  indexOf: forward,
  includes: (self: string, args) =>
    forward(self as never, args, String.prototype.indexOf.call(self, ...(args as [string]))),
  lastIndexOf: backward,
  startsWith: ofFirst,
  endsWith: ofFirst,
  split: (self: string, [what]) => (what instanceof RegExp ? stepsOfAll(what, self) : self.length),
  replace: rewritten,
  replaceAll: rewritten,
  match: (self: string, [what]) =>
    what instanceof RegExp ? (what.global ? stepsOfAll : stepsOfExec)(what, self) : self.length,
  matchAll: (self: string, [what]) => stepsOfAll(what as RegExp, self),
  search: (self: string, [what]) => stepsOfExec(what as RegExp, self),
  trim: trimmed,
  trimStart: trimmed,
  trimEnd: trimmed,
  toLowerCase: length,
  toUpperCase: length,
  normalize: length,
  repeat: ofResult,
  padStart: ofResult,
  padEnd: ofResult,
  localeCompare: length,
};

const ARRAY: Record<string, Cost> = {
  indexOf: forward,
  includes: (self: unknown[], args) =>
    forward(self as never, args, Array.prototype.includes.call(self, ...(args as [unknown]))),
  lastIndexOf: backward,
  join: joined,
  slice: ofResult,
  concat: ofResult,
  splice: spliced,
  shift: length,
  unshift: length,
  reverse: length,
  toReversed: length,
  fill: length,
  flat: ofResult,
  with: length,
  sort: sorted,
  toSorted: sorted,
};

const BYTES: Record<string, Cost> = {
  indexOf: forward,
  includes: length,
  lastIndexOf: backward,
  slice: ofResult,
  fill: length,
  set: ofFirst,
  reverse: length,
  join: length,
  copyWithin: length,
};

const BUFFER: Record<string, Cost> = {
  indexOf: forward,
  includes: length,
  lastIndexOf: backward,
  equals: length,
  compare: length,
  copy: (_self, _args, result) => Number(result),
  fill: length,
  toString: ofResult,
  write: ofFirst,
};

const MADE: Record<string, Cost> = { from: ofResult, concat: ofResult, byteLength: ofFirst };

const COUNTED: readonly (readonly [object, Record<string, Cost>])[] = [
  [String.prototype, STRING],
  [Array.prototype, ARRAY],
  [Array, { from: ofResult }],
  [Object.getPrototypeOf(Uint8Array.prototype) as object, BYTES],
  [Buffer.prototype, BUFFER],
  [Buffer, MADE],
  [TextDecoder.prototype, { decode: ofFirst }],
  [TextEncoder.prototype, { encode: ofFirst }],
  [JSON, { parse: ofFirst, stringify: ofResult }],
];

/** Until it is disposed of. */
export function countBuiltins(): Disposable {
  using undo = new DisposableStack();
  counter.isCounting = true;
  undo.defer(() => {
    counter.isCounting = false;
  });
  // A cost is worked out with functions that may be counted themselves.
  const gate = { isOpen: true };
  for (const [owner, costs] of COUNTED)
    for (const [name, cost] of Object.entries(costs)) replace(undo, owner, name, counted(owner, name, cost, gate));
  for (const name of ["Map", "Set"]) replace(undo, globalThis, name, countedMaker(name));
  for (const clock of [Date, performance]) {
    const now = clock.now();
    replace(undo, clock, "now", () => now);
  }
  return undo.move();
}

function replace(undo: DisposableStack, owner: object, name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, writable: true, ...before, value });
  undo.defer(() => {
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  });
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function counted(owner: object, name: string, cost: Cost, gate: { isOpen: boolean }): Method {
  const real = Reflect.get(owner, name) as Method;
  return function (this: unknown, ...args) {
    const result = Reflect.apply(real, this, args);
    if (!gate.isOpen) return result;
    // A cost that cannot be worked out ends the count, so the gate may stay as it is.
    gate.isOpen = false;
    counter.steps += 1 + cost(this as never, args, result);
    gate.isOpen = true;
    return result;
  };
}

/** `new Set(all)` goes through all. */
function countedMaker(name: string): unknown {
  return new Proxy(Reflect.get(globalThis, name) as new (all?: unknown) => object, {
    construct(real, args: [unknown?], target) {
      counter.steps += 1 + sizeOf(args[0]);
      return Reflect.construct(real, args, target) as object;
    },
  });
}
