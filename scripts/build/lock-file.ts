/**
 * package.json and package-lock.json (version 3) as far as the build reads them. The lock file is the only source of
 * versions and hashes: node_modules says what is there, not what should be.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function readLock(root: string): LockFile {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
}

export function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
}

/** Optional packages that a locked one names and the lock file does not have, each once, with its exact version. */
export function missingOptional({ packages }: LockFile): MissingPackage[] {
  const missing = Object.entries(packages).flatMap(([place, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !hasPackage(packages, place, name))
      .map(([name, version]) => ({ name, version, isDev: entry.dev === true })),
  );
  return [...new Map(missing.map((one) => [one.name, one])).values()];
}

/** Looked for where Node looks: below the place itself, then below each folder above it. */
function hasPackage(packages: LockFile["packages"], place: string, name: string): boolean {
  for (let from = place; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    if (packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`] !== undefined) return true;
    if (from === "") return false;
  }
}

export interface MissingPackage {
  readonly name: string;
  readonly version: string;
  readonly isDev: boolean;
}

export interface LockFile {
  /** By place, such as `node_modules/zod`; the root package is the empty string. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version: string;
  /** `sha512-<base64>`. */
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
