/**
 * A folder that tries to run code in whatever Bun program is started inside it. Every trap, when it runs, leaves a file
 * in `markers`; nothing else may write there.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface HostileFolder extends Disposable {
  /** Start programs here. */
  readonly path: string;
  /** A writable place outside of it, for state and for output files that must not appear. */
  readonly outside: string;
  /** Names of the traps that ran. */
  readonly markers: () => string[];
  /** Every path in the folder, to show that nothing was added. */
  readonly listing: () => string[];
}

export function plantHostileFolder(): HostileFolder {
  const base = mkdtempSync(join(tmpdir(), "ringfence-hostile-"));
  const path = join(base, "workspace");
  const markers = join(base, "markers");
  const outside = join(base, "outside");
  for (const folder of [path, markers, outside]) mkdirSync(folder);
  const plant = (name: string, text: string): void => {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  const trap = (name: string): string =>
    `require("node:fs").writeFileSync(${JSON.stringify(join(markers, name))}, process.argv.join(" "));\n`;

  plant(".env", `BUN_BE_BUN=1\nBUN_OPTIONS=--preload ./evil.ts\nNODE_OPTIONS=--require ./evil.js\nPLANTED=1\n`);
  plant("bunfig.toml", 'preload = ["./bunfig-evil.ts"]\n[run]\nbun = true\n[test]\npreload = ["./bunfig-evil.ts"]\n');
  plant("bunfig-evil.ts", trap("bunfig"));
  plant("evil.ts", trap("preload"));
  plant("evil.js", trap("require"));
  for (const name of WORKER_NAMES) plant(`workers/${name}`, trap(`worker-${name}`));
  for (const name of MODULE_NAMES) {
    plant(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
    plant(`node_modules/${name}/index.js`, trap(`module-${name}`));
  }
  plant(
    "package.json",
    JSON.stringify({ name: "x", type: "module", imports: { "#a": "./evil.ts" }, main: "./evil.ts" }),
  );
  plant(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "*": ["./evil.ts"], zod: ["./evil.ts"] } } }),
  );
  return {
    path,
    outside,
    markers: () => readdirSync(markers).sort(),
    listing: () => [...new Bun.Glob("**/*").scanSync({ cwd: path, dot: true })].sort(),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

const WORKER_NAMES = ["read", "change", "search", "echo", "trap"].flatMap((name) => [`${name}.ts`, `${name}.js`]);
const MODULE_NAMES = ["zod", "rregex", "consola", "picomatch", "ignore", "diff"];
