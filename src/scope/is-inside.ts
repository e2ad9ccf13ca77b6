/**
 * Whether one path lies in another, by their text: of paths that are absolute and without `..` and links. Of any other
 * it says nothing about where they lead.
 */
/** Whether an absolute path without `..` is the directory or lies in it, by text. */
export function isInside(path: string, directory: string): boolean {
  const [inner, outer] = [comparable(path), comparable(directory)];
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

/** On Windows both slashes separate, and case does not count. */
function comparable(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/").toLowerCase() : path;
}
