/**
 * The parts list: on a made-up lock file for its rules, and on ours for what it promises.
 */
import { describe, expect, test } from "bun:test";
import { readLock, readManifest, type LockFile, type Manifest } from "../../scripts/build/lock-file.ts";
import { makeSbom } from "../../scripts/build/sbom.ts";
import { parseTargets, TARGETS } from "../../scripts/build/targets.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

describe("makeSbom", () => {
  const manifest: Manifest = {
    name: "app",
    version: "1.0.0",
    license: "MIT",
    dependencies: { a: "1.0.0", "@s/b": "2.0.0" },
    devDependencies: { dev: "1.0.0" },
  };
  const lock: LockFile = {
    packages: {
      "": { version: "1.0.0", dependencies: manifest.dependencies },
      "node_modules/a": {
        version: "1.0.0",
        license: "MIT",
        integrity: "sha512-AQI=",
        dependencies: { c: "^1.0.0" },
      },
      "node_modules/a/node_modules/c": { version: "1.0.0", license: "ISC", dependencies: { a: "*" } },
      "node_modules/c": { version: "9.0.0", license: "ISC" },
      "node_modules/@s/b": { version: "2.0.0", license: "Apache-2.0" },
      "node_modules/dev": { version: "1.0.0", license: "GPL-3.0", dev: true },
      "node_modules/@oven/bun-linux-x64": { version: "1.4.5", license: "MIT", integrity: "sha512-/w==" },
    },
  };
  const sbom = makeSbom(manifest, lock, parseTargets("linux-x64"));

  test("lists the runtime and what production needs, nested copies as they resolve, and nothing of development", () => {
    expect(sbom.components.map((part) => part.purl)).toEqual([
      "pkg:npm/%40oven/bun-linux-x64@1.4.5",
      "pkg:npm/%40s/b@2.0.0",
      "pkg:npm/a@1.0.0",
      "pkg:npm/c@1.0.0",
    ]);
  });

  test("makeSbom() gives licence, group and hash", () => {
    expect(sbom.components[1]).toMatchObject({
      group: "@s",
      name: "b",
      licenses: [{ expression: "Apache-2.0" }],
    });
    expect(sbom.components[2]?.hashes).toEqual([{ alg: "SHA-512", content: "0102" }]);
  });

  test("makeSbom() gives the graph of dependencies", () => {
    expect(sbom.dependencies).toContainEqual({ ref: "pkg:npm/a@1.0.0", dependsOn: ["pkg:npm/c@1.0.0"] });
    expect(sbom.dependencies[0]?.dependsOn).toContain("pkg:npm/%40s/b@2.0.0");
  });

  test("makeSbom() refuses a part without a licence", () => {
    const packages = { ...lock.packages, "node_modules/@s/b": { version: "2.0.0" } };
    expect(() => makeSbom(manifest, { packages }, [])).toThrow("node_modules/@s/b has no licence");
  });
});

test("ours names every production dependency with a licence and a hash, and refers only to listed parts", () => {
  const manifest = readManifest(REPOSITORY);
  const sbom = makeSbom(manifest, readLock(REPOSITORY), TARGETS);
  const names = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name);
  expect(sbom.components.filter((part) => part.type === "platform").length).toBe(8);
  expect(sbom.components.filter((part) => part.hashes === undefined)).toEqual([]);
  const refs = new Set([...sbom.components, sbom.metadata.component].map((part) => part["bom-ref"]));
  expect(sbom.dependencies.flatMap((entry) => entry.dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
});
