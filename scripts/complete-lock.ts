/**
 * `bun scripts/complete-lock.ts`: adds to package-lock.json what npm leaves out when a registry mirror does not carry it,
 * the optional packages of other platforms. `npm ci` refuses a lock file without them. To be run after every change of a
 * dependency; `test/housekeeping.test.ts` finds a lock file that is not complete.
 *
 * Invariant: nothing that npm wrote is changed. A package that the mirror carries gets its hash from there; one that it
 * does not carry gets the platform that its name says, and no hash: npm never installs it on another platform.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingOptional, readLock, type LockedPackage } from "./build/lock-file.ts";

const ROOT = join(import.meta.dir, "..");
interface Published {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly "dist.integrity"?: string;
}

async function view(name: string, version: string): Promise<Partial<LockedPackage> | undefined> {
  const fields = ["os", "cpu", "libc", "license", "engines", "dist.integrity"];
  const child = Bun.spawn(["npm", "view", `${name}@${version}`, ...fields, "--json"], {
    cwd: ROOT,
    stdin: "ignore",
    stderr: "ignore",
  });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0 || text.trim() === "") return undefined;
  const { "dist.integrity": integrity, ...rest } = JSON.parse(text) as Published;
  const lists = (["os", "cpu", "libc"] as const).map((key) => [key, rest[key] && [rest[key]].flat()] as const);
  const given = [["integrity", integrity], ...lists, ["license", rest.license], ["engines", rest.engines]];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<LockedPackage>;
}

const LIBC: Readonly<Record<string, string>> = { gnu: "glibc", musl: "musl" };
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "x64"];

/** `@oxfmt/binding-linux-arm64-musl`: the way that all of these packages are named. */
function platformOf(name: string): Partial<LockedPackage> {
  const parts = name.split("/").at(-1)?.split("-") ?? [];
  const os = parts.filter((part) => SYSTEMS.includes(part));
  const cpu = parts.filter((part) => PROCESSORS.includes(part));
  const libc = parts.flatMap((part) => (os[0] === "linux" ? (LIBC[part] ?? []) : []));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`Cannot tell the platform of ${name}: add it by hand`);
  return { os, cpu, ...(libc.length > 0 ? { libc } : {}) };
}

await main();

async function main(): Promise<void> {
  const lock = readLock(ROOT);
  const added: [place: string, entry: LockedPackage][] = [];
  for (const { name, version, isDev } of missingOptional(lock)) {
    const published = await view(name, version);
    const entry = {
      version,
      ...(published ?? platformOf(name)),
      ...(isDev ? { dev: true } : {}),
      optional: true,
    };
    added.push([`node_modules/${name}`, entry]);
    console.log(`${name}@${version}${published ? "" : " (not on this mirror, so without a hash)"}`);
  }
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) });
  const sorted = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, "en")));
  writeFileSync(join(ROOT, "package-lock.json"), `${JSON.stringify({ ...lock, packages: sorted }, undefined, 2)}\n`);
  console.log(`${added.length} packages added`);
}
