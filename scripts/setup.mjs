/**
 * Set-up on demand: `node scripts/setup.mjs SCRIPT [args]` makes node_modules what package-lock.json says, lets git run
 * the hooks of `scripts/hooks`, and then runs SCRIPT with the pinned Bun. Needs Node 20 (or Bun) and, the first time only, npm; a second run touches no network.
 *
 * Invariant: nothing from node_modules runs during the installation (`--ignore-scripts`), and the Bun that is started
 * is the locked version. Without its install script the `bun` package is a stub; the real program then lies in
 * `@oven/bun-*`, and install.js would have moved it into the stub's place, so both places are looked at.
 * Usual mistake: importing a dependency here; there are none yet.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setUpHooks } from "./hooks/set-up-hooks.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, "node_modules");
const STAMP = join(MODULES, ".ringfence-setup");
/** A stub is half a kilobyte, the program 100 MB. */
const SMALLEST_BUN_BYTES = 1_000_000;

main();

function main() {
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) fail("Usage: node scripts/setup.mjs SCRIPT [args]");
  setUpHooks(ROOT);
  run(prepare(), [resolve(ROOT, script), ...args]);
}

/** The path of the pinned Bun, after an installation when one was needed. */
function prepare() {
  const lockText = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const lock = JSON.parse(lockText);
  const pinned = lock.packages["node_modules/bun"].version;
  const stamp = `${createHash("sha256").update(lockText).digest("hex")} ${process.platform}-${process.arch}\n`;
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) {
    const bun = findBun(pinned);
    if (bun !== undefined) return bun;
  }
  if (!isComplete(lock)) install();
  if (!isComplete(lock)) {
    fail("Cannot trust node_modules: it differs from package-lock.json. Delete node_modules and run this again.");
  }
  const bun = findBun(pinned);
  if (bun === undefined) {
    fail(
      `Cannot find Bun ${pinned} for ${process.platform}-${process.arch} in node_modules: the optional package ` +
        "@oven/bun-* is missing. Delete node_modules and run this again with a connection; if npm is configured with " +
        "`omit=optional`, run `npm install --ignore-scripts --no-save --include=optional`.",
    );
  }
  writeFileSync(STAMP, stamp);
  return bun;
}

/** Whether npm finished, and every locked package that this platform needs is there in its locked version. */
function isComplete(lock) {
  if (!existsSync(join(MODULES, ".package-lock.json"))) return false;
  return Object.entries(lock.packages).every(
    ([place, entry]) => place === "" || !isNeeded(entry) || installedVersion(place) === entry.version,
  );
}

/** Optional packages for one platform are needed on that platform only; the C library is settled by running Bun. */
function isNeeded(entry) {
  if (!entry.optional) return true;
  if (entry.os === undefined || entry.libc !== undefined) return false;
  return entry.os.includes(process.platform) && (entry.cpu ?? [process.arch]).includes(process.arch);
}

function installedVersion(place) {
  try {
    return JSON.parse(readFileSync(join(ROOT, place, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

/**
 * Not `npm ci`, which deletes node_modules first and refuses a lock file that `scripts/complete-lock.ts` has not completed
 * yet. `install` keeps to the locked versions and hashes too, and `isComplete` holds it to that (decision 0006).
 */
function install() {
  const args = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  console.error(`set-up: npm ${args.slice(0, 3).join(" ")} (once; about 300 MB on disk)`);
  // stdin closed and stdout on stderr: a pipe that follows the script must not see npm's chatter.
  const result = spawnSync("npm", args, {
    cwd: ROOT,
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2],
  });
  if (result.error !== undefined) {
    fail(
      `Cannot run npm: ${result.error.message}. Install Node.js 20 or newer (npm comes with it) and run this again.`,
    );
  }
  if (result.status !== 0) {
    fail(
      "Cannot install the dependencies: npm failed (see above). The first run needs a connection to the npm registry; " +
        "behind a proxy or a mirror set `npm config set registry URL` or HTTPS_PROXY, then run this again.",
    );
  }
}

/** The first candidate that runs here and is the pinned version. */
function findBun(pinned) {
  const exe = process.platform === "win32" ? "bun.exe" : "bun";
  const stub = join(MODULES, "bun", "bin", "bun.exe");
  const vendor = join(MODULES, "@oven");
  const names = existsSync(vendor) ? readdirSync(vendor) : [];
  const candidates = [stub, ...names.map((name) => join(vendor, name, "bin", exe))];
  const bun = candidates.find((path) => isBun(path, pinned));
  if (bun !== undefined && bun !== stub) replaceStub(stub, bun);
  return bun;
}

function isBun(path, pinned) {
  if (!existsSync(path) || statSync(path).size < SMALLEST_BUN_BYTES) return false;
  const result = spawnSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return result.status === 0 && result.stdout.trim() === pinned;
}

/** A hard link in place of the stub, so that node_modules/.bin/bun works for people too. Not needed by this script. */
function replaceStub(stub, bun) {
  const fresh = `${stub}.${process.pid}`;
  try {
    linkSync(bun, fresh);
    renameSync(fresh, stub);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function run(bun, args) {
  const child = spawn(bun, args, { stdio: "inherit" });
  // Ctrl-C reaches the whole process group by itself; the others are passed on.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`Cannot start ${bun}: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0));
  });
}

function fail(message) {
  console.error(`set-up: ${message}`);
  process.exit(1);
}
