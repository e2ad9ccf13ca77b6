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
  // What says by its name that it is one.
  String.raw`ringfence\.(?:jsonc?|ya?ml|toml)`,
  String.raw`(?:[^/]*[-_.])?config\.(?:ya?ml|toml|jsonc?|json5|ini|xml)|settings\.(?:ya?ml|toml|jsonc?|json5)`,
  String.raw`[^/]*\.(?:ini|cfg|conf)|[^/]*\.conf\.(?:[cm]?[jt]s|json5?)`,
  // JavaScript: packages, compilers, and every bundler, linter and test runner that takes `NAME.config.ts`.
  String.raw`(?:package|turbo|nx|lerna|rush|angular|bower|nodemon|tslint|dprint|jsconfig|tsconfig[^/]*)\.json|deno\.jsonc?`,
  String.raw`[^/]*\.config\.[cm]?[jt]s|bunfig\.toml|biome\.jsonc?|pnpm-workspace\.ya?ml|import[-_]map\.json`,
  String.raw`(?:gulp|grunt)file\.(?:[cm]?[jt]s|coffee)`,
  // Python.
  String.raw`pyproject\.toml|setup\.py|conftest\.py|noxfile\.py|(?:site|user)customize\.py|pipfile|manifest\.in|pylintrc`,
  String.raw`(?:[^/]*[-_.])?(?:requirements|constraints)(?:[-_.][^/]*)?\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in)`,
  String.raw`(?:uv|ruff|hatch|pixi|pants)\.toml|pyrightconfig\.json|environment\.ya?ml`,
  // Rust, Go, Ruby, PHP.
  String.raw`cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|(?:clippy|rustfmt|cross)\.toml|go\.(?:mod|work)|magefile\.go`,
  String.raw`gemfile|gems\.rb|rakefile|guardfile|capfile|config\.ru|[^/]*\.gemspec|composer\.json|phpunit\.xml(?:\.dist)?`,
  // Java, Kotlin, Scala, .NET.
  String.raw`pom\.xml|build\.xml|build\.sbt|mvnw(?:\.cmd)?|gradlew(?:\.bat)?|[^/]*\.gradle(?:\.[^/]*)?|[^/]*\.versions\.toml`,
  String.raw`(?:gradle|(?:gradle|maven)-wrapper|sonar-project)\.properties|(?:gradle|maven)-wrapper\.jar`,
  String.raw`(?:application|bootstrap)(?:-[^/]+)?\.(?:ya?ml|properties)`,
  String.raw`(?:appsettings|launchsettings)(?:\.[^/]+)?\.json|global\.json|(?:web|app|nuget|packages)\.config`,
  String.raw`[^/]*\.(?:(?:cs|fs|vb|vcx|sql)proj|slnx?)|directory\.(?:build|packages)\.(?:props|targets)`,
  // Swift, and other languages.
  String.raw`package(?:@swift-[\d.]+)?\.swift|podfile|cartfile|brewfile|[^/]*\.podspec|[^/]*\.xcconfig|project\.pbxproj`,
  String.raw`mix\.exs|stack\.ya?ml|cabal\.project(?:\.local)?|[^/]*\.(?:cabal|opam|nimble|rockspec)|dune-(?:project|workspace)`,
  String.raw`pubspec\.ya?ml|build\.zig(?:\.zon)?|dub\.(?:json|sdl)|(?:deps|bb|shadow-cljs)\.edn|project\.(?:clj|toml)|cpanfile`,
  // Builds.
  String.raw`(?:gnu)?makefile(?:\.(?:am|in|inc|common|local))?|[^/]*\.(?:mk|mak|cmake|bzl)|cmakelists\.txt|cmake(?:user)?presets\.json`,
  String.raw`justfile|taskfile(?:\.dist)?\.ya?ml|meson\.build|meson[._]options(?:\.txt)?|sconstruct|sconscript|configure\.(?:ac|in)`,
  String.raw`(?:build|workspace|module|repo)\.bazel|workspace\.bzlmod|conanfile\.(?:py|txt)|vcpkg(?:-configuration)?\.json|platformio\.ini`,
  String.raw`(?:flake|shell|default|devenv|configuration)\.nix|devenv\.ya?ml|devbox\.json|mise(?:\.[^/]+)?\.toml`,
  // Containers and machines.
  String.raw`(?:docker|container)file(?:[-._][^/]*)?|(?:docker-compose[^/]*|compose(?:\.[^/]+)?)\.ya?ml|vagrantfile|procfile|earthfile|tiltfile|caddyfile`,
  String.raw`(?:skaffold|helmfile|chart|kustomization|pulumi(?:\.[^/]+)?)\.ya?ml|terragrunt\.hcl|docker-bake\.(?:hcl|json)`,
  // Services that build and publish.
  String.raw`jenkinsfile|codeowners|(?:azure|bitbucket)-pipelines[^/]*\.ya?ml|(?:appveyor|cloudbuild|buildspec|codemagic|codecov|lefthook)\.ya?ml`,
  String.raw`(?:vercel|firebase|now|cdk|renovate|railway)\.json5?|(?:netlify|fly|railway|samconfig)\.toml|wrangler\.(?:toml|jsonc?)`,
  String.raw`serverless\.(?:ya?ml|json|toml|[jt]s)|(?:render|app|mkdocs|_config)\.ya?ml`,
];

/** Bazel's names without an ending are words in small letters, and then often those of directories. */
const BAZEL = /(?:^|\/)(?:BUILD|WORKSPACE|BUCK)$/;

/** Files that steer other programs: what is written there runs later. */
const STEERING = new RegExp(
  String.raw`(?:^|\/)(?:\.[^/.][^/]*|${CONFIGURATION_NAMES.join("|")}|${LOCK_FILES})(?:\/|$)`,
  "i",
);

/** Whether a change there is more than an ordinary edit, by a name on its path. */
export function isSteering(path: string): boolean {
  return STEERING.test(path) || BAZEL.test(path);
}
