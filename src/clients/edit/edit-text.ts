/**
 * The text of a configuration file with some values put into it, and nothing else changed: every other byte stays, with its
 * comments, its line ends and its byte order mark. A file that cannot be read without doubt is refused.
 *
 * Invariant: what is returned was parsed again, and says what the old text said with the wanted values, and nothing more.
 */
import { Failure } from "../../base/index.ts";
import type { ValueEdit } from "../client.ts";
import { applyToValue, isSame } from "./apply-value.ts";
import { editJson, parseJsonText } from "./edit-json.ts";
import { editToml, parseTomlText } from "./edit-toml.ts";

export interface EditedText {
  readonly text: string;
  /** What was put in and what it took the place of, in order: an undo of a file that has changed since looks for them. */
  readonly pieces: readonly EditPiece[];
}

export interface EditPiece {
  readonly inserted: string;
  readonly removed: string;
}

/** What a form of file has to offer. */
export interface TextForm {
  /** @throws Error that says where the text is wrong */
  readonly parse: (text: string) => unknown;
  /** @throws Error that says why the value cannot be put there */
  readonly edit: (text: string, edit: ValueEdit) => EditedText;
}

const FORMS: Readonly<Record<"json" | "toml", TextForm>> = {
  json: { parse: parseJsonText, edit: editJson },
  toml: { parse: parseTomlText, edit: editToml },
};

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * @param bytes the file as it is; absent: there is none
 * @returns `undefined` when all the values stand there already
 * @throws Failure `invalid_input` for a file that does not parse, or in which a value cannot be put without touching others
 */
export function editText(
  path: string,
  bytes: Uint8Array | undefined,
  form: "json" | "toml",
  edits: readonly ValueEdit[],
): EditedText | undefined {
  const { parse, edit } = FORMS[form];
  try {
    const whole = decode(bytes);
    const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    let text = whole.slice(mark.length);
    let wanted = parse(text);
    const before = text;
    const pieces: EditPiece[] = [];
    for (const one of edits) {
      const next = applyToValue(wanted, one);
      if (isSame(next, wanted)) continue;
      const edited = edit(text, one);
      if (!isSame(parse(edited.text), next)) throw new Error(`${one.path.join(".")} stands there in another way`);
      wanted = next;
      text = edited.text;
      pieces.push(...edited.pieces);
    }
    return text === before ? undefined : { text: mark + text, pieces };
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot edit "${path}": ${firstLine(thrown)}`, {
      hint: "Nothing is written. Repair the file, or put the lines in by hand: `ringfence init CLIENT --print` shows them.",
    });
  }
}

/** What the file says. @throws Failure `invalid_input` */
export function readValues(path: string, bytes: Uint8Array, form: "json" | "toml"): unknown {
  try {
    return FORMS[form].parse(decode(bytes).replace(BYTE_ORDER_MARK, ""));
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot read "${path}": ${firstLine(thrown)}`, {
      hint: "Repair the file.",
    });
  }
}

/** A parser quotes what it could not read behind it. */
function firstLine(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : String(thrown);
}

function decode(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
}
