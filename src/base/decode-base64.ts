/**
 * Base64 as it is taken from others: whole, in the standard alphabet, with its padding. The decoder of the runtime passes over
 * what it does not know.
 *
 * Usual mistake: to look for groups of four with an expression. It gives up on a text of megabytes, and says that it is none.
 */

/**
 * What a caller has sent, which may be wrapped in lines as mail has it, and in the alphabet for addresses.
 * @returns it without white space; `undefined` for what is no base64, or holds nothing
 */
export function unwrapBase64(content: string): string | undefined {
  const text = content.replaceAll(/\s+/g, "");
  return text !== "" && /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? text : undefined;
}

/** @returns `undefined` for what is no base64; white space anywhere in it is passed over */
export function decodeBase64(content: string): Uint8Array | undefined {
  const text = content.replaceAll(/\s/g, "");
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64") : undefined;
}
