/**
 * `bun scripts/comments.ts`: how many doc comments and names of types of each folder break the rules of
 * `scripts/checks/doc-comments.ts` and `type-names.ts`. With folders as arguments it prints the places. The gate refuses
 * those of the folders in `HELD_FOLDERS`.
 */
import { checkDocComments, isHeld, knownNames } from "./checks/doc-comments.ts";
import { readSources, repositoryPaths } from "./checks/read-sources.ts";
import { checkTypeNames } from "./checks/type-names.ts";

const sources = readSources(["src", "workers", "scripts", "test", "bench", "examples"]);
const known = knownNames(sources, repositoryPaths());
const problems = [...sources.flatMap((file) => checkDocComments(file, known)), ...checkTypeNames(sources)];
const wanted = process.argv.slice(2);

if (wanted.length > 0) {
  const found = problems.filter((problem) => wanted.some((folder) => problem.startsWith(`${folder}/`)));
  console.log(found.join("\n"));
} else {
  const counts = Map.groupBy(problems, (problem) => /^(?:src\/)?[^/]+/.exec(problem)?.[0] ?? "");
  for (const [folder, all] of [...counts].toSorted(([, a], [, b]) => b.length - a.length))
    console.log(`${String(all.length).padStart(5)}  ${folder}${isHeld(`${folder}/`) ? "  (held)" : ""}`);
}
