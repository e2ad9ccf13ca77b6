/**
 * The whole table of decisions and risks, pinned: what each mode does with each risk, and which call has which.
 */
import { describe, expect, test } from "bun:test";
import { decide, EFFECTS, MODES, narrowMode, type Effect, type Mode, type Target } from "../../src/policy/index.ts";
import { type Risk } from "../../src/policy/risk.ts";

const RISKS: readonly Risk[] = ["R0", "R1", "R2", "R3", "R4", "R5"];

test("the modes decide each risk as their table says", () => {
  expect([...MODES]).toEqual(["default", "accept_edits", "plan", "bypass"]);
});

const table: Record<Mode, string> = {
  default: "allow allow ask ask ask deny",
  accept_edits: "allow allow allow ask ask deny",
  plan: "allow allow ask ask ask deny",
  bypass: "allow allow allow allow allow deny",
};
test.each(MODES)("the decision is the strictest one: %s", (mode) => {
  expect(RISKS.map((risk) => decide(risk, mode).type).join(" ")).toBe(table[mode]);
  for (const risk of RISKS) {
    const { reason, source, rule } = decide(risk, mode);
    expect([source, rule, reason.length > 10]).toEqual(["mode", mode, true]);
  }
});

test("a mode can be narrowed and never widened", () => {
  const wider: Record<Mode, number> = { plan: 0, default: 1, accept_edits: 2, bypass: 3 };
  for (const mode of MODES)
    for (const asked of [...MODES, undefined, null, 5, {}, "PLAN"])
      expect(wider[narrowMode(mode, asked)]).toBeLessThanOrEqual(wider[mode]);
  expect(narrowMode("bypass", "plan")).toBe("plan");
  expect(narrowMode("accept_edits", "default")).toBe("default");
});

interface Touching {
  readonly effect: Effect;
  readonly access: readonly Target[];
  readonly removes: boolean;
}

function assessRisk({ effect, access: [target], removes }: Touching): Risk {
  return EFFECTS[effect].risk(target, removes);
}

const change = (path: string, mode: "read" | "write" | "remove" = "write"): Risk =>
  assessRisk({ effect: "change", access: [{ path, mode }], removes: false });

const CONFIGURATIONS =
  `package.json PACKAGE.json tsconfig.json tsconfig.build.json jsconfig.json vite.config.ts jest.config.js app.config.json
  eslint.config.mjs a.config.cts a.config.mts a.config.cjs pyproject.toml setup.cfg setup.py tox.ini conftest.py Cargo.toml
  go.mod Makefile makefile GNUmakefile CMakeLists.txt Dockerfile Dockerfile.dev docker-compose.yml docker-compose.dev.yaml
  compose.yaml compose.override.yml Jenkinsfile build.gradle build.gradle.kts settings.gradle pom.xml Gemfile Rakefile
  composer.json deno.json deno.jsonc bunfig.toml turbo.json nx.json lerna.json justfile Vagrantfile Procfile
  gradlew gradlew.bat mvnw flake.nix shell.nix default.nix Package.swift Package@swift-5.9.swift Taskfile.yml Taskfile.dist.yaml
  WORKSPACE MODULE.bazel BUILD.bazel BUILD defs.bzl requirements.txt requirements-dev.txt dev-requirements.in
  requirements/base.txt constraints.txt pytest.ini mypy.ini gradle.properties libs.versions.toml netlify.toml wrangler.toml
  wrangler.jsonc serverless.yml appsettings.json appsettings.Production.json CODEOWNERS vercel.json fly.toml config.yaml
  config.yml config.toml config.json config.ini app-config.yaml settings.json nginx.conf karma.conf.js setup.cfg uv.toml
  web.config App.csproj all.sln Directory.Build.props build.rs go.work mix.exs pubspec.yaml Podfile meson.build rules.mk
  find.cmake azure-pipelines.yml pnpm-workspace.yaml Chart.yaml kustomization.yaml Containerfile noxfile.py Pipfile`.split(
    /\s+/,
  );

/** Names that are nearly those of configuration files. */
const ORDINARY =
  `my-package.json package.json.md config.ts config.go config.md settings.py setup.ts makefile.ts go.mod.md pom.xml.ts dockerfiles composer.ts
  app.config.tsx reconfig.js cargo.toml.ts gemfile.rb compose.ts build/out.js workspace/a.ts build buildings.ts
  package.swift.md sources.swift requirements.md requirements-notes.md my_constraints.py default.html shell.ts module.ts
  configuration.ts values.yaml messages_de.properties data.json users.json script.js tasks.py main.nix lib.rs builder.rs
  vercel.ts main.go application.ts bootstrap.css reconfig.json.ts environment.ts`.split(/\s+/);

describe("the risk of", () => {
  const cases: [what: string, risk: Risk, wanted: Risk][] = [
    ["metadata", assessRisk({ effect: "read", access: [{ path: "a", mode: "metadata" }], removes: false }), "R0"],
    ["reading", assessRisk({ effect: "read", access: [{ path: "a", mode: "read" }], removes: false }), "R1"],
    ["an ordinary change", change("src/a.ts"), "R2"],
    ["a dot in the name", change("src/a.b.ts"), "R2"],
    ["./", change("./src/a.ts"), "R2"],
    ["a directory up", change("../src/a.ts"), "R2"],
    ["a hidden file", change(".env"), "R4"],
    ["a file in a hidden directory", change("a/.git/hooks/pre-commit"), "R4"],
    ["a lock file", change("package-lock.json"), "R4"],
    ["another lock file", change("sub/Cargo.lock"), "R4"],
    ["a lock file that no name ends in .lock", change("go.sum"), "R4"],
    ["a list of requirements", change("requirements.txt"), "R4"],
    ...CONFIGURATIONS.map((name): [string, Risk, Risk] => [name, change(`sub/${name}`), "R4"]),
    ...ORDINARY.map((name): [string, Risk, Risk] => [name, change(`sub/${name}`), "R2"]),
    ["a configuration file that is only read", change("package.json", "read"), "R2"],
    ["a block", change("src/block.json"), "R2"],
    ["a hidden file that is only read", change(".env", "read"), "R2"],
    ["a delete", assessRisk({ effect: "change", access: [{ path: "a", mode: "remove" }], removes: true }), "R4"],
    ["running", assessRisk({ effect: "run", access: [], removes: false }), "R3"],
    ["showing", assessRisk({ effect: "show", access: [], removes: false }), "R3"],
    ["the network", assessRisk({ effect: "reach", access: [], removes: false }), "R4"],
  ];
  test.each(cases)("the risk is told from the call: %s", (_what, risk, wanted) => {
    expect(risk).toBe(wanted);
  });
});
