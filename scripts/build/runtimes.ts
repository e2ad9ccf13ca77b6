/**
 * The Bun runtimes that binaries are made of. The native one is the Bun that runs this script: no network. The others
 * come from the npm registry, once, at the version and with the integrity that package-lock.json pins.
 *
 * Invariant: nothing unverified is unpacked, and a cached tarball is verified again on each use.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readLock } from "./lock-file.ts";
import { nativeTarget, type Target } from "./targets.ts";

/** The bytes of the unpatched runtime for `target`. Needs the network the first time for a foreign target. */
export async function readRuntime(root: string, target: Target): Promise<Buffer> {
  const pinned = readLock(root).packages["node_modules/bun"]?.version;
  if (pinned !== Bun.version) {
    throw new Error(`Cannot build with Bun ${Bun.version}: package-lock.json pins ${pinned}. Use \`npm run build\``);
  }
  if (target.name === nativeTarget().name) return readFileSync(process.execPath);
  const tarball = await verifiedTarball(root, target);
  const files = await new Bun.Archive(tarball).files();
  const program = files.get(`package/bin/${target.runtimeFile}`);
  if (program === undefined)
    throw new Error(`Cannot unpack @oven/${target.runtimePackage}: bin/${target.runtimeFile} is missing`);
  return Buffer.from(await program.arrayBuffer());
}

async function verifiedTarball(root: string, target: Target): Promise<Uint8Array> {
  const entry = readLock(root).packages[`node_modules/@oven/${target.runtimePackage}`];
  if (entry?.integrity === undefined) {
    throw new Error(`Cannot verify @oven/${target.runtimePackage}: package-lock.json has no integrity for it`);
  }
  const folder = join(root, ".cache", "runtimes");
  const path = join(folder, `oven-${target.runtimePackage}-${entry.version}.tgz`);
  if (!existsSync(path)) download(folder, path, `@oven/${target.runtimePackage}@${entry.version}`);
  const bytes = await Bun.file(path).bytes();
  const actual = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
  if (actual === entry.integrity) return bytes;
  throw new Error(`Cannot use ${path}: its hash is ${actual}, and package-lock.json wants ${entry.integrity}`);
}

/** Through npm, so that its registry, proxy and certificate settings hold here too. */
function download(folder: string, path: string, spec: string): void {
  console.error(`build: fetching ${spec} (about 50 MB, kept in .cache)`);
  const fresh = join(folder, `download-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  const result = spawnSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", fresh, spec], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const file = readdirSync(fresh).find((name) => name.endsWith(".tgz"));
  if (result.status === 0 && file !== undefined) renameSync(join(fresh, file), path);
  rmSync(fresh, { recursive: true, force: true });
  if (!existsSync(path)) throw new Error(`Cannot fetch ${spec}: npm pack failed; other targets need the registry once`);
}
