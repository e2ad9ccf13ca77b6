/**
 * The software bill of materials of a binary: CycloneDX 1.6 as JSON, with the Bun runtime of each target and every npm
 * package that can be in the bundle (production dependencies and theirs), as package-lock.json pins them.
 * https://cyclonedx.org/docs/1.6/json/
 *
 * Invariant: the same lock file gives the same bytes; there is no time and no random serial number in it.
 */
import type { LockFile, Manifest } from "./lock-file.ts";
import type { Target } from "./targets.ts";

export function makeSbom(manifest: Manifest, lock: LockFile, targets: readonly Target[]): Sbom {
  const main = `pkg:npm/${manifest.name}@${manifest.version}`;
  const places = productionPlaces(lock);
  const runtimes = targets.map((target) => `node_modules/@oven/${target.runtimePackage}`);
  const components: SbomComponent[] = [
    ...runtimes.map((place) => ({
      ...component(lock, place),
      type: "platform" as const,
      properties: [MODIFIED],
    })),
    ...places.map((place) => component(lock, place)),
  ];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": main,
        name: manifest.name,
        version: manifest.version,
        purl: main,
        licenses: [{ expression: manifest.license }],
      },
    },
    components,
    dependencies: [
      {
        ref: main,
        dependsOn: [
          ...runtimes.map((place) => purlOf(lock, place)),
          ...Object.keys(manifest.dependencies).map((name) => purlOf(lock, resolvePlace(lock, "", name))),
        ].sort(),
      },
      ...places.map((place) => ({
        ref: purlOf(lock, place),
        dependsOn: dependencyPlaces(lock, place)
          .map((dependency) => purlOf(lock, dependency))
          .sort(),
      })),
    ],
  };
}

/** The runtime is not the published one byte for byte, and a scanner must be able to tell. */
const MODIFIED = {
  name: "ringfence:modified",
  value: "names of environment variables blanked before compiling",
};

/** Every package reachable from the root's production dependencies, sorted by place. */
function productionPlaces(lock: LockFile): string[] {
  const seen = new Set<string>();
  const queue = dependencyPlaces(lock, "");
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    queue.push(...dependencyPlaces(lock, place));
  }
  return [...seen].sort();
}

function dependencyPlaces(lock: LockFile, place: string): string[] {
  return Object.keys(lock.packages[place]?.dependencies ?? {}).map((name) => resolvePlace(lock, place, name));
}

/** Node's lookup: the nearest `node_modules` on the way up from the package that asks. */
function resolvePlace(lock: LockFile, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[place] !== undefined) return place;
    if (folder === "") throw new Error(`Cannot list the parts: package-lock.json has no ${name}, which ${from} needs`);
  }
}

function component(lock: LockFile, place: string): SbomComponent {
  const entry = lock.packages[place];
  if (entry?.license === undefined)
    throw new Error(`Cannot list the parts: ${place} has no licence in package-lock.json`);
  const purl = purlOf(lock, place);
  const scoped = /^(@[^/]+)\/(.+)$/.exec(nameOf(place));
  return {
    type: "library",
    "bom-ref": purl,
    ...(scoped?.[1] === undefined ? {} : { group: scoped[1] }),
    name: scoped?.[2] ?? nameOf(place),
    version: entry.version,
    purl,
    licenses: [{ expression: entry.license }],
    ...hashes(entry.integrity),
  };
}

function purlOf(lock: LockFile, place: string): string {
  return `pkg:npm/${nameOf(place).replace(/^@/, "%40")}@${lock.packages[place]?.version}`;
}

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** npm's `sha512-<base64>` as the hexadecimal that CycloneDX wants. */
function hashes(integrity: string | undefined): Pick<SbomComponent, "hashes"> {
  if (integrity?.startsWith("sha512-") !== true) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") }] };
}

interface SbomComponent {
  readonly type: "application" | "library" | "platform";
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly $schema: string;
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly version: 1;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
