/**
 * The direction of imports: which folder of `src` may know which. A file imports its own folder, or the face
 * (`index.ts`) of a folder further left in `LAYERS`; nothing reaches into another folder's private files.
 */
import { readImports, type Import, type SourceFile } from "./source-code.ts";

/**
 * From the bottom to the top; the first two are shipped without the rest. A folder that is not in this list is a
 * violation: it must be placed by a decision.
 */
export const LAYERS: readonly string[] = (
  "calls client base pictures sys text pattern reach scope approval fence files state search memory wire pool proc txn policy shell audit review recorded watch contract packs jobs mcp dialects " +
  "upstream page config spaces start session pipeline methods surfaces host library clients cli main"
).split(" ");

/** Folders that could be packages of their own, and the only others that each may import. */
const STANDALONE: Readonly<Record<string, readonly string[]>> = { shell: ["text"] };

/** Faces beside `index.ts`, for those who must not load all that is behind it, or must not have it loaded with the rest. */
const OTHER_FACES: readonly string[] = [
  "src/packs/late-packs.ts",
  "src/packs/optional.ts",
  "src/packs/plans.ts",
  "src/packs/worker-tools.ts",
  "src/contract/described.ts",
];

/**
 * What a reading worker loads a part of. A face that somebody imports by `import()` is one piece in the executable with all that it names, and
 * whoever needs a part of that piece loads all of it.
 */
const LOADED_BY_WORKERS: readonly string[] =
  "base sys text pattern scope files state search memory pool txn policy contract packs jobs".split(" ");

/** Violations as `path:line: message`. */
export function checkLayers(file: SourceFile): string[] {
  return readImports(file.text).flatMap((used) => {
    const problem = problemOf(file.path, used);
    return problem === undefined ? [] : [`${file.path}:${used.line}: Cannot import "${used.specifier}": ${problem}`];
  });
}

function problemOf(path: string, used: Import): string | undefined {
  const from = layerOf(path);
  if (from === undefined) return `"${path}" is in no known layer`;
  if (!used.specifier.startsWith(".")) return undefined;
  const target = resolvePath(path, used.specifier);
  if (target.startsWith("node_modules/")) return undefined;
  // The version of a program that runs from source is the manifest's.
  if (target === "package.json" && from === "config") return undefined;
  // The types of the tools are generated, so they stand outside of the sources.
  if (target === "types/tools.d.ts" && from === "calls") return undefined;
  const to = layerOf(target);
  if (to === undefined) return `"${target}" is in no known layer`;
  if (from === to && from !== "workers") return undefined;
  if (to === "face" || to === "workers") return "nothing inside imports the package root or a worker";
  if (used.isLate && LOADED_BY_WORKERS.includes(to) && target.endsWith("/index.ts"))
    return `the workers would load all of ${to} with it: import a file that names what is needed`;
  const allowed = STANDALONE[from];
  if (allowed !== undefined && !allowed.includes(to))
    return `${from} stands alone and may import only ${allowed.join()}`;
  const isPassedOn = target === "src/calls/public.ts" && path.endsWith("index.ts");
  const isFace = /^src\/[^/]+\/index\.ts$/.test(target) || OTHER_FACES.includes(target);
  if (!isPassedOn && !isFace) return `only the face src/${to}/index.ts may be imported`;
  if (from === "face") return to === "cli" || to === "main" ? "the package root must not start a program" : undefined;
  if (from === "workers" || LAYERS.indexOf(to) < LAYERS.indexOf(from)) return undefined;
  return `${to} is above ${from}`;
}

/** A layer, "face" for the package root `src/index.ts`, "workers", or undefined. */
function layerOf(path: string): string | undefined {
  if (path === "src/index.ts") return "face";
  if (path === "src/main.ts") return "main";
  if (path.startsWith("workers/")) return "workers";
  const folder = /^src\/([^/]+)\//.exec(path)?.[1];
  return folder !== undefined && LAYERS.includes(folder) ? folder : undefined;
}

/** Where a specifier leads, from the repository root; the name itself for a package. */
export function resolvePath(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
