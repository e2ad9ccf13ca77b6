/**
 * The client as JavaScript for Node 20 and later: `dist/client/index.js`, one file without dependencies, and its types
 * beside it. The type checker is given Node's types alone, so what only Bun has does not build.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** @param out is replaced */
export async function buildClient(root: string, out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const entry = join(root, "src", "client", "index.ts");
  const built = await Bun.build({
    entrypoints: [entry],
    outdir: out,
    target: "node",
    format: "esm",
    sourcemap: "none",
  });
  if (!built.success) throw new Error(`Cannot build the client:\n${built.logs.map(String).join("\n")}`);
  const result = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), ...typeFlags(root, out), entry],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  if (result.status !== 0) throw new Error(`Cannot build the types of the client:\n${result.stdout}${result.stderr}`);
  // The declarations name the types of the tools by the same way up as the sources do: `../../types/tools.d.ts`.
  copyFileSync(join(root, "types", "tools.d.ts"), join(out, "types", "tools.d.ts"));
}

function typeFlags(root: string, out: string): string[] {
  return [
    "--ignoreConfig",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "es2022",
    "--lib",
    "es2023,esnext.disposable",
    "--types",
    "node",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--rewriteRelativeImportExtensions",
    "--skipLibCheck",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    join(root, "src"),
    "--outDir",
    join(out, "types"),
  ];
}
