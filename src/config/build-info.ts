/**
 * What this program is: set by the build, or read from the source tree's own facts when it runs from source.
 */
import manifest from "../../package.json" with { type: "json" };

declare const __RINGFENCE_BUILD__: { version: string; commit: string; target: string } | undefined;

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  /** For example `linux-x64`; `source` when it was not compiled. */
  readonly target: string;
  /** For example `bun 1.4.5`. */
  readonly runtime: string;
}

export const BUILD: BuildInfo = {
  ...(typeof __RINGFENCE_BUILD__ === "undefined"
    ? { version: manifest.version, commit: "unknown", target: "source" }
    : __RINGFENCE_BUILD__),
  runtime: `bun ${Bun.version}`,
};
