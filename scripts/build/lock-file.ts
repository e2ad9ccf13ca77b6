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

export interface LockFile {
  /** By place, such as `node_modules/zod`; the root package is the empty string. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version: string;
  /** `sha512-<base64>`. */
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
