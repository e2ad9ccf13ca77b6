/**
 * What Windows would make of a path, told from its text alone and before anything is opened: opening a share already
 * sends credentials, and opening `NUL` or `a.txt:stream` opens something that no listing shows.
 *
 * Pure, and the same on every system, so that the rules are tested everywhere. A short name (`PROGRA~1`) is refused
 * because it is a second name that deny rules do not know; a file that really has such a name is out of reach as well.
 * Not decided here: `..` and junctions, which only the walk can follow, and a share as a root, whose paths are relative.
 * https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
 */
export type WindowsRefusal =
  /** Nothing can have this name, or it is never meant. */
  | { readonly code: "invalid_input"; readonly state: string; readonly hint: string }
  /** Something can be there, and it is no file of a root: a device or a stream. */
  | { readonly code: "denied"; readonly state: string }
  /** Another name space: a share, a device, another drive's own directory. */
  | { readonly code: "outside_scope" };

/** Why a path with the slashes of Windows cannot be used, or `undefined` when nothing speaks against it. */
export function refuseWindowsPath(path: string): WindowsRefusal | undefined {
  // Two slashes of any kind: a share, `\\?\`, `\\.\`. `\??\` is the same for the kernel.
  if (/^[\\/]{2}|^[\\/]\?\?[\\/]/.test(path)) return { code: "outside_scope" };
  // `C:x` is relative to a directory that this process happens to have on that drive.
  if (/^[A-Za-z]:(?![\\/])/.test(path)) return { code: "outside_scope" };
  for (const name of path.replace(/^[A-Za-z]:/, "").split(/[\\/]/)) {
    const refusal = name === "" || name === "." || name === ".." ? undefined : refuseName(name);
    if (refusal) return refusal;
  }
  return undefined;
}

/** One kind of slash, and no verbatim prefix: the form in which paths are compared. */
export function slashWindowsPath(path: string): string {
  return path
    .replace(/^\\(?:\\|\?)\?\\UNC\\/i, "\\\\")
    .replace(/^\\(?:\\|\?)\?\\/, "")
    .replaceAll("\\", "/");
}

/** COM and LPT also with superscript digits, which the system folds. */
const RESERVED = /^(?:CON|PRN|AUX|NUL|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3]|CONIN\$|CONOUT\$)$/i;
const FORBIDDEN = /[<>|?*"\u0001-\u001f]/;
/** Six characters, a tilde and a number, or fewer with a longer number, and an extension of three. */
const SHORT = /^(?=[^.]{3,8}(?:\.|$))[^.~]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?$/;

/** At the end. */
function withoutSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end);
}

function refuseName(name: string): WindowsRefusal | undefined {
  const base = withoutSpaces(/^[^.:]*/.exec(name)?.[0] ?? "");
  if (RESERVED.test(base)) return { code: "denied", state: "a name in it is that of a device" };
  if (name.includes(":")) return { code: "denied", state: "a name cannot hold a colon here, which names a stream" };
  if (FORBIDDEN.test(name)) return invalid('a name cannot hold control characters or any of <>|?*" here');
  if (/[. ]$/.test(name)) return invalid("a name cannot end in a dot or a space here");
  if (SHORT.test(name)) return invalid("a name in it has the form of a short (8.3) name");
  return undefined;
}

function invalid(state: string): WindowsRefusal {
  return { code: "invalid_input", state, hint: "List the directory and give a name as it stands there." };
}
