/**
 * The platforms a binary is built for, by the names a user types and the names Bun and npm use for them.
 *
 * Usual mistake: taking the host's C library for granted; on Alpine the native target is the musl one.
 */
export interface Target {
  /** As typed after `--target=` and written in file names: `linux-x64`. */
  readonly name: string;
  /** What `bun build --target` calls it. */
  readonly bunTarget: string;
  /** The npm package that holds the runtime, without the `@oven/` scope. */
  readonly runtimePackage: string;
  /** The program inside that package. */
  readonly runtimeFile: string;
  readonly cpu: "x64" | "arm64";
  readonly suffix: "" | ".exe";
}

/** The named targets; `all` for every one, an unknown name is an error that lists them. */
export function parseTargets(text: string): readonly Target[] {
  if (text === "all") return TARGETS;
  return text.split(",").map((name) => {
    const known = TARGETS.find((target) => target.name === name.trim());
    if (known !== undefined) return known;
    throw new Error(
      `Cannot build for ${JSON.stringify(name)}: it must be "all" or one of ${TARGETS.map((target) => target.name).join(", ")}`,
    );
  });
}

/** The target this process runs on. */
export function nativeTarget(): Target {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const name = `${os}-${process.arch}${isMusl() ? "-musl" : ""}`;
  const native = TARGETS.find((target) => target.name === name);
  if (native === undefined) throw new Error(`Cannot build on ${name}: there is no target of that name`);
  return native;
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report: unknown = process.report.getReport();
  const header = (report as { header?: { glibcVersionRuntime?: string } }).header;
  return header?.glibcVersionRuntime === undefined;
}

export const TARGETS: readonly Target[] = [
  makeTarget("linux", "x64"),
  makeTarget("linux", "arm64"),
  makeTarget("linux", "x64", "-musl"),
  makeTarget("linux", "arm64", "-musl"),
  makeTarget("darwin", "x64"),
  makeTarget("darwin", "arm64"),
  makeTarget("windows", "x64"),
  makeTarget("windows", "arm64"),
];

function makeTarget(os: "linux" | "darwin" | "windows", cpu: "x64" | "arm64", libc: "" | "-musl" = ""): Target {
  const name = `${os}-${cpu}${libc}`;
  const suffix = os === "windows" ? ".exe" : "";
  return {
    name,
    bunTarget: `bun-${name}`,
    runtimePackage: `bun-${os}-${cpu === "arm64" ? "aarch64" : cpu}${libc}`,
    runtimeFile: `bun${suffix}`,
    cpu,
    suffix,
  };
}
