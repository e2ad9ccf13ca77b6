/**
 * A name as part of a line. A caller chooses names, so one may look like the words of the line that it stands in:
 * `a.txt -> b.txt`, `a.txt (5 bytes)`, `a.txt:7  -old  +new`. Such a name stands in quotes.
 */
export function clearName(name: string): string {
  return UNCLEAR.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;
}

const UNCLEAR = /[\s"]|:\d/;
