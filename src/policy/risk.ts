/**
 * How much one concrete call could cost; `effects.ts` says which risk a call of an effect has.
 *
 * R0 metadata · R1 read in a root · R2 change in a root · R3 run · R4 delete, hidden and configuration files · R5 never.
 */
export type Risk = "R0" | "R1" | "R2" | "R3" | "R4" | "R5";

/**
 * Files in which package managers fix what is installed: what is written there is fetched and run later, on other machines
 * too. By name, of every package manager that we know of; case does not matter.
 */
const LOCK_NAMES: readonly string[] = [
  // npm, pnpm, Yarn, Bun, Deno, uv, Poetry, Cargo, Bundler, Composer, CocoaPods, Hex, pub, Nix, Helm and many others.
  String.raw`[^/]*\.(?:lock|lockb|lockfile|lockfile\.json|locked|shrinkwrap\.json)`,
  String.raw`[^/]*[-_.]lock\.(?:jsonc?|ya?ml|toml|hcl|edn|nix|properties)`,
  String.raw`(?:npm-)?shrinkwrap\.(?:json|ya?ml)`,
  // Go.
  String.raw`go(?:\.work)?\.sum`,
  String.raw`vendor\/modules\.txt`,
  // Swift and Carthage.
  String.raw`package\.(?:resolved|pins)|cartfile\.resolved`,
  // Python.
  String.raw`pylock(?:\.[^/]+)?\.toml|requirements[^/]*[-_.]lock(?:ed)?[^/]*\.txt|[^/]*conda-lock[^/]*\.ya?ml`,
  // Gradle, Maven in Bazel.
  String.raw`verification-(?:metadata\.xml|keyring\.(?:gpg|keys))|[^/]*maven_install\.json`,
  // Julia and Gleam.
  String.raw`(?:julia)?manifest(?:-v[\d.]+)?\.toml`,
  // Haskell, Perl, D, Lean, R, Nix (niv, npins), aqua, Emacs, NuGet's restore.
  String.raw`cabal\.project(?:\.local)?\.freeze|cpanfile\.snapshot|dub\.selections\.json|lake-manifest\.json`,
  String.raw`(?:nix|npins)\/sources\.json|aqua-checksums\.json|project\.assets\.json`,
];

/** Alternatives of a regular expression, to stand between two slashes. */
const LOCK_FILES: string = LOCK_NAMES.join("|");

/**
 * Files that tell builds, tests and containers which programs to run: who writes there runs a program the next time that
 * somebody builds. By name too, as docs/policy.md lists them.
 */
const CONFIGURATION_NAMES: readonly string[] = [
  String.raw`ringfence\.(?:jsonc?|ya?ml|toml)`,
  // JavaScript: packages, compilers, and every bundler, linter and test runner that takes `NAME.config.ts`.
  String.raw`(?:package|turbo|nx|lerna|jsconfig|tsconfig[^/]*)\.json|deno\.jsonc?|bunfig\.toml`,
  String.raw`[^/]*\.config\.(?:[cm]?[jt]s|json)`,
  // Python.
  String.raw`pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|conftest\.py`,
  // Rust, Go, Ruby, PHP, Java.
  String.raw`cargo\.toml|go\.mod|gemfile|rakefile|composer\.json|pom\.xml|(?:build|settings)\.gradle(?:\.[^/]*)?`,
  // Builds.
  String.raw`(?:gnu)?makefile|cmakelists\.txt|justfile|jenkinsfile`,
  // Containers and machines.
  String.raw`dockerfile(?:[-._][^/]*)?|(?:docker-compose[^/]*|compose(?:\.[^/]+)?)\.ya?ml|vagrantfile|procfile`,
];

/** Files that steer other programs: what is written there runs later. */
const STEERING = new RegExp(
  String.raw`(?:^|\/)(?:\.[^/.][^/]*|${CONFIGURATION_NAMES.join("|")}|${LOCK_FILES})(?:\/|$)`,
  "i",
);

/** Whether a change there is more than an ordinary edit, by a name on its path. */
export function isSteering(path: string): boolean {
  return STEERING.test(path);
}
