/**
 * The pieces of words that a model knows, as BERT cuts them: a text is cleaned and cut at blanks and punctuation, and each word
 * into the longest pieces of the vocabulary. A word with a part that is not in it has no pieces.
 * https://huggingface.co/docs/tokenizers/api/models#tokenizers.models.WordPiece
 */
import { Failure } from "../../base/index.ts";

export interface WordPieces {
  /** Numbers of pieces; unknown words are left out. */
  readonly pieces: (text: string) => readonly number[];
}

/** The parts of `tokenizer.json` that matter here. */
interface TokenizerFile {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Readonly<Record<string, number>>;
    readonly continuing_subword_prefix?: string;
    readonly max_input_chars_per_word?: number;
    readonly unk_token?: string;
  };
  readonly normalizer?: {
    readonly type?: string;
    readonly lowercase?: boolean;
    readonly strip_accents?: boolean | null;
  } | null;
}

const MAX_WORD_CHARS = 100;

/** @throws Failure `unsupported` for another kind of tokenizer */
export function parseTokenizer(text: string, folder: string): WordPieces {
  const { model = {}, normalizer } = readFile(text, folder);
  const { vocab, continuing_subword_prefix: prefix = "##", max_input_chars_per_word: most = MAX_WORD_CHARS } = model;
  if (model.type !== "WordPiece" || !vocab)
    throw unusable(folder, `its tokenizer is ${JSON.stringify(model.type ?? "unknown")}, and only WordPiece is read`);
  if (normalizer?.type !== undefined && normalizer.type !== "BertNormalizer")
    throw unusable(folder, `its normalizer is "${normalizer.type}", and only BertNormalizer is read`);
  const lowercase = normalizer?.lowercase ?? true;
  const strips = normalizer?.strip_accents ?? lowercase;
  const clean = (source: string): string => (normalizer ? cleaned(source, lowercase, strips) : source);
  const numbers = new Map(Object.entries(vocab));
  if (model.unk_token !== undefined) numbers.delete(model.unk_token);
  return {
    pieces: (source) => wordsOf(clean(source)).flatMap((word) => cutWord(word, numbers, prefix, most)),
  };
}

function readFile(text: string, folder: string): TokenizerFile {
  try {
    return JSON.parse(text) as TokenizerFile;
  } catch {
    throw unusable(folder, "its tokenizer.json is no JSON");
  }
}

export function unusable(folder: string, why: string): Failure {
  return new Failure("unsupported", `Cannot use the model in ${JSON.stringify(folder)}: ${why}`, {
    hint: "packs.memory.embedder.file names a folder with model.safetensors and tokenizer.json, as model2vec writes them.",
  });
}

const HAN = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
/** What BERT takes for punctuation: that of Unicode, and the signs of ASCII. */
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;

/** As a `BertNormalizer` does it. A model without one knows its words as they are written. */
function cleaned(source: string, lowercase: boolean, strips: boolean): string {
  let text = source.replaceAll(/[\0\ufffd\p{Cc}\p{Cf}]/gu, (sign) => (/[\t\n\r]/.test(sign) ? " " : ""));
  text = text.replaceAll(HAN, " $& ");
  if (lowercase) text = text.toLowerCase();
  return strips ? text.normalize("NFD").replaceAll(/\p{Mn}/gu, "") : text;
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(PUNCTUATION, " $& ")
    .split(/\s+/u)
    .filter((word) => word !== "");
}

function cutWord(word: string, numbers: ReadonlyMap<string, number>, prefix: string, most: number): number[] {
  const signs = Array.from(word);
  if (signs.length > most) return [];
  const found: number[] = [];
  for (let at = 0; at < signs.length;) {
    let end = signs.length;
    let number: number | undefined;
    for (; end > at; end--) {
      number = numbers.get(`${at === 0 ? "" : prefix}${signs.slice(at, end).join("")}`);
      if (number !== undefined) break;
    }
    if (number === undefined) return [];
    found.push(number);
    at = end;
  }
  return found;
}
