/**
 * Keys as a person wants them: a file names actions and the key of each. Only the screen with a proposal has them; a question
 * names its keys itself.
 *
 * Invariant: an action has one key and a key one action, so that no key decides something else than it is told to.
 */
import { Failure, isObject } from "../../../base/index.ts";

/** Every action with the key that it has when nothing else is said. */
export const ACTIONS = {
  apply: "y",
  reject: "n",
  "apply-group": "A",
  edit: "e",
  undo: "u",
  always: "g",
  explain: "x",
  comment: "c",
  range: "V",
  "drop-comment": "d",
  toggle: " ",
  split: "s",
  seen: "v",
  stale: "t",
  history: "H",
  open: "o",
  wrap: "w",
  blanks: "b",
  more: "+",
  less: "-",
  whole: "W",
  find: "/",
  "find-on": "N",
  filter: "f",
  down: "j",
  up: "k",
  "next-hunk": "]",
  "previous-hunk": "[",
  "next-proposal": "}",
  "previous-proposal": "{",
  help: "?",
  leave: "q",
} as const;

export type KeyAction = keyof typeof ACTIONS;

/** By the key that is pressed: the key that the screen knows the action by; empty for one that means nothing any more. */
export type Keymap = ReadonlyMap<string, string>;

export const NO_KEYMAP: Keymap = new Map();

/** @param text JSON, as `{"apply": "a"}`. @throws Failure `invalid_input` for what names no action, no key, or a key twice */
export function readKeymap(text: string): Keymap {
  const wanted = parse(text);
  const keys = new Map<string, string>(Object.entries(ACTIONS));
  for (const [action, key] of Object.entries(wanted)) {
    if (!keys.has(action)) throw refused(`there is no action ${JSON.stringify(action)}`, Object.keys(ACTIONS));
    if (typeof key !== "string" || !/^[\x20-\x7e]$/.test(key))
      throw refused(`the key of ${action} must be one character of ASCII that is printed`);
    keys.set(action, key);
  }
  const map = new Map<string, string>(Object.values(ACTIONS).map((key) => [key, ""]));
  const taken = new Set<string>();
  for (const [action, key] of keys) {
    if (taken.has(key)) throw refused(`${JSON.stringify(key)} is the key of two actions, of which one is ${action}`);
    taken.add(key);
    map.set(key, ACTIONS[action as KeyAction]);
  }
  return map;
}

/** The key that a person presses for an action, as it is told. */
export function keyFor({ keymap }: { readonly keymap: Keymap }, action: KeyAction): string {
  const usual = ACTIONS[action];
  const key = [...keymap].find(([, meant]) => meant === usual)?.[0] ?? usual;
  return key === " " ? "space" : key;
}

/** @returns lines that say which keys are others than usual */
export function keymapLines(keymap: Keymap): readonly string[] {
  const own = [...keymap].filter(([key, usual]) => usual !== "" && key !== usual);
  if (own.length === 0) return [];
  return [
    "Your keys:",
    ...own.map(([key, usual]) => `${key}              as ${usual === " " ? "space" : usual} below`),
    "",
  ];
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw refused('it must be JSON, as {"apply": "a"}');
}

function refused(state: string, candidates?: readonly string[]): Failure {
  return new Failure("invalid_input", `Cannot use these keys: ${state}`, candidates ? { candidates } : {});
}
