/**
 * Files that hold secrets, by name: private keys, credential stores, `.env` files, profiles of clouds and browsers, shell
 * histories, states of infrastructure, and the copies that editors and people leave of any of them. No tool reads, searches,
 * copies, hashes, compares or changes them; listings and searches count them and name none. What only looks like one
 * (`.env.example`, `*.pub`) stays readable.
 *
 * Case does not matter, because a file system may fold it. The operator may except exact paths.
 *
 * Usual mistake: to look at the path below the root alone. A root may lie inside `~/.config` or `~/.docker`.
 */
import { firstNames, lastNames, secretBelow, secretFiles, secretNames, TELLING } from "./secrets/secret-names.ts";

/**
 * Whether a name in this directory can be secret at all, for listings, which ask for every name of a tree: `false` is sure.
 * @param directory below a root
 * @param absolute the same, with the root
 */
export function maySecretsBeIn(directory: string, absolute: string): (name: string) => boolean {
  // With the slash: what a directory is called is judged as it is on the way to what lies in it.
  const path = `${directory}/`;
  const isTelling = TELLING.test(`${absolute}/`);
  if (isTelling && hasLastName(path) && secretNames().test(path)) return () => true;
  return (name) => (isTelling || TELLING.test(name)) && hasLastName(name);
}

function hasLastName(path: string): boolean {
  const names = lastNames();
  for (let at = 0; ;) {
    names.lastIndex = at;
    if (names.test(path)) return true;
    at = path.indexOf("/", at) + 1;
    if (at === 0) return false;
  }
}

/** `.ssh/id_ed25519.pub` and the like: made to be given away, in whatever directory they lie. */
const PUBLIC = /\/?[^/]+\.pub$/i;

/** The rule of one host. @param except paths below a root, or absolute; what lies below them is excepted too */
export function createSecretRule(except: readonly string[]): (rel: string, absolute: string) => boolean {
  const excepted = except.map((path) => path.replace(/\/+$/, ""));
  const isExcepted = (path: string): boolean => excepted.some((one) => path === one || path.startsWith(`${one}/`));
  const isTelling = rememberedByRoot((root) => TELLING.test(root));
  const hasLastNameItself = rememberedByRoot(hasLastName);
  const hasFirstName = rememberedByRoot((root) => firstNames().test(root));
  return (rel, absolute) => {
    const root = absolute.slice(0, absolute.length - rel.length);
    // What follows is made ready for a path that needs it.
    if (!TELLING.test(rel) && !isTelling(root)) return false;
    if (!hasLastName(rel) && !hasLastNameItself(root)) return false;
    if (!isSecret(rel, hasFirstName(root) ? absolute : undefined)) return false;
    return excepted.length === 0 || !(isExcepted(rel) || isExcepted(absolute));
  };
}

const MAX_ROOTS = 256;

/** Asked for every path, of few roots. */
function rememberedByRoot(find: (root: string) => boolean): (root: string) => boolean {
  const roots = new Map<string, boolean>();
  return (root) => {
    let known = roots.get(root);
    if (known === undefined) {
      if (roots.size >= MAX_ROOTS) roots.clear();
      roots.set(root, (known = find(root)));
    }
    return known;
  };
}

/** @param absolute of a path in a root whose own path may count */
function isSecret(rel: string, absolute: string | undefined): boolean {
  if (!secretNames().test(rel) && (absolute === undefined || !secretBelow().test(absolute))) return false;
  // What is public by its name may lie among secrets, but is none of the files that are secret by theirs.
  return !PUBLIC.test(rel) || secretFiles().test(rel);
}
