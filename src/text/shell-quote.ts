/**
 * A text as one word of a shell's command line, for people who copy what a message says: a path in it may be a caller's,
 * and must not become a second command.
 */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
