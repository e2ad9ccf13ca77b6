/**
 * The text of an object as an entry of a note: behind a line that says where it is from and that it is somebody else's, so that who
 * reads the note later takes it for what it is.
 */
import { Failure } from "../../base/index.ts";
import { visibleText } from "../../text/index.ts";
import type { ObjectContent } from "./store/get-object.ts";
import { encodingOf, readableIn, wholeText } from "./store/object-text.ts";

export interface TextAsk {
  readonly maxChars: number;
  /** What is no text is taken as far as it can be read. */
  readonly force: boolean;
}

/** By their names; what has none of them is looked at. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|heic|ico|bmp|tiff?|pdf|docx?|xlsx?|pptx?|odt|ods|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|exe|dll|so|dylib|bin|wasm|class|o|a|mp[34]|m4a|wav|ogg|flac|avi|mov|mkv|webm|woff2?|ttf|otf|sqlite3?|db|parquet|p12|pfx)$/i;

/** @throws Failure `not_text` */
export function noteText(name: string, key: string, object: ObjectContent, { maxChars, force }: TextAsk): string {
  const { bytes, sha256, charset } = object;
  const read = NO_TEXT.test(key) ? undefined : wholeText(bytes, charset);
  const plain = force ? readableIn(bytes, encodingOf(bytes, charset)) : read;
  if (plain === undefined) throw notText(name);
  const whole = visibleText(plain).trim();
  if (whole === "")
    throw new Failure("not_text", `Cannot take "${name}": it is empty`, {
      hint: "Take another object: an empty one makes no note.",
    });
  if (PLACEHOLDER.test(whole))
    throw new Failure("not_text", `Cannot take "${name}": it has the placeholder of a secret in it`, {
      hint: "Take an object without one: a placeholder stands for what nobody has seen.",
    });
  const isCut = whole.length > maxChars;
  const cut = isCut ? whole.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "") : whole;
  const about = `From ${visibleText(name)} (untrusted, sha256 ${sha256.slice(0, 12)}${isCut ? `, the first ${cut.length} of ${whole.length} characters` : ""}):`;
  return `${about}\n\n${cut}`;
}

/** A change with one is refused: it stands for what nobody has seen. */
const PLACEHOLDER = /\[secret:[0-9a-f]{6}\]/;

function notText(name: string): Failure {
  return new Failure("not_text", `Cannot take "${name}": it is no text`, {
    hint: "force: true takes what can be read of it; object_read with save_to writes it to a file.",
  });
}
