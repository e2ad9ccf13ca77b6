/**
 * What the pages show is true: examples compile and run, JSON is JSON, tables name what there is. A page that is only
 * read by people is wrong a month later.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LAYERS } from "../../scripts/checks/layers.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { fillBlocks } from "../../scripts/docs/client-blocks.ts";
import { FAILURE_CODES } from "../../src/base/index.ts";
import { COMMANDS } from "../../src/cli/run-command-line.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { DRIVEN_CLIENTS } from "../clients/driven-clients.ts";
import { CLIENT_PACKAGES } from "../components/npm-client.ts";

const PAGES = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "docs/wire.md",
  "docs/library.md",
  "docs/policy.md",
  "docs/bridge.md",
  "docs/clients.md",
];

function page(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

/** The fenced blocks of one language, in order. */
function blocks(path: string, language: string): string[] {
  return [...page(path).matchAll(/^( *)```(\w+)\n([^]*?)^\1```$/gm)].flatMap(([, , name, text]) =>
    name === language && text !== undefined ? [text] : [],
  );
}

test.each(PAGES)("%s: every block of JSON is JSON", (path) => {
  for (const text of blocks(path, "json")) expect(() => JSON.parse(text) as unknown).not.toThrow();
});

test("wire.md has every failure code, in the order of the code", () => {
  const section = page("docs/wire.md").split("The codes are closed:")[1]?.split("\n## ")[0] ?? "";
  const codes = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code ?? "");
  expect(codes).toEqual([...FAILURE_CODES]);
});

test("architecture.md has every folder of src, in the order of the layers", () => {
  const section = page("docs/architecture.md").split("\n## Folder by folder\n")[1]?.split("\n## ")[0] ?? "";
  const folders = [...section.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name);
  expect([...folders, "main"]).toEqual([...LAYERS]);
});

test("architecture.md names every folder of packs", () => {
  const row = page("docs/architecture.md").split("\n| `packs` |")[1]?.split("\n")[0] ?? "";
  const packs = readdirSync(join(REPOSITORY, "src/packs"), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(packs.map(({ name }) => name).filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
});

test("CONTRIBUTING.md names every file outside of a pack that a new one is written into", () => {
  const recipe = page("CONTRIBUTING.md").split("\n## Adding a pack\n")[1]?.split("\n## ")[0] ?? "";
  const folders = ["src/config", "src/packs", "src/policy", "scripts/docs", "test/config"];
  const files = folders.flatMap((folder) => readdirSync(join(REPOSITORY, folder)).map((name) => `${folder}/${name}`));
  // What has the newest pack in it.
  const touched = files.filter((path) => path.endsWith(".ts") && /\bk8s\b/.test(page(path)));
  expect(touched.length).toBeGreaterThan(2);
  expect(touched.filter((path) => !recipe.includes(path))).toEqual([]);
});

test("glossary.md has its words once, in alphabetical order, each with one to three sentences", () => {
  const entries = [...page("docs/glossary.md").matchAll(/^- \*\*(.+?)\.\*\* (.+)$/gm)];
  const words = entries.map(([, word = ""]) => word.toLowerCase());
  expect(words.length).toBeGreaterThan(30);
  expect(words).toEqual([...new Set(words)].toSorted());
  const wrong = entries.filter(([, , text = ""]) => !/^(?:[^.]+(?:\.\w[^.]*)*\.\s?){1,3}$/.test(text));
  expect(wrong.map(([, word]) => word)).toEqual([]);
});

test("the README names every tool", () => {
  const section = page("README.md").split("\n## The tools\n")[1]?.split("\n## ")[0] ?? "";
  expect(builtinTools.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test("the README names every command", () => {
  const section = page("README.md").split("\n## The command line\n")[1]?.split("\n## ")[0] ?? "";
  const names = Object.keys(COMMANDS).filter(
    (name) => !new RegExp(`^\\|.*\`(?:ringfence )?${name}\\b`, "m").test(section),
  );
  expect(names).toEqual([]);
});

test("clients.md has a configuration for each client, with the command and a root", () => {
  const configs = configurations("docs/clients.md");
  expect(configs).toHaveLength(9);
  expect(configs.filter((text) => !/\bserve\b[^]{1,12}--root\b[^\w]{1,16}path\b/.test(text))).toEqual([]);
});

test("the README has no configuration of a client of its own, which nobody would play", () => {
  expect(configurations("README.md")).toEqual([]);
});

test.each(["README.md", "docs/clients.md"])(
  "%s: what it says of clients is made from the table that init writes by",
  (path) => {
    expect(page(path)).toContain("<!-- made: ");
    expect(fillBlocks(page(path))).toBe(page(path));
    const changed = page(path).replaceAll("| off |", "| on |").replaceAll('"/path/to/project"', '"/"');
    expect(changed).not.toBe(page(path));
    expect(fillBlocks(changed)).toBe(page(path));
  },
);

test("clients.md names the versions that the tests drive", () => {
  for (const { name, section } of DRIVEN_CLIENTS) {
    const text = page("docs/clients.md").split(`\n## ${section}\n`)[1]?.split("\n## ")[0];
    expect(text).toContain(`\nTested with ${CLIENT_PACKAGES[name].version}.`);
  }
});

function configurations(path: string): string[] {
  return ["json", "toml", "yaml"]
    .flatMap((language) => blocks(path, language))
    .filter((text) => /\/usr\/local\/bin\/ringfence["\n]/.test(text));
}

describe("TypeScript in the pages", () => {
  test("the TypeScript in the pages is compiled", async () => {
    mkdirSync(join(REPOSITORY, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(REPOSITORY, ".cache", "pages-"));
    try {
      for (const [index, text] of ["README.md", "docs/library.md"].flatMap((path) => blocks(path, "ts")).entries())
        writeFileSync(join(folder, `example-${index}.ts`), text);
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({
          extends: "../../tsconfig.json",
          compilerOptions: { isolatedDeclarations: false, declaration: false, types: ["bun"] },
          include: ["*.ts"],
        }),
      );
      const tsc = join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
      const result = Bun.spawnSync([process.execPath, tsc, "-p", folder]);
      expect(result.stdout.toString()).toBe("");
      expect(result.exitCode).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("the TypeScript of the README runs", async () => {
    using place = new Place();
    const [example = ""] = blocks("README.md", "ts");
    mkdirSync(join(REPOSITORY, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(REPOSITORY, ".cache", "pages-"));
    try {
      writeFileSync(join(folder, "main.ts"), example.replace("/srv/project", place.root));
      const env = { XDG_STATE_HOME: place.stateDir };
      await using host = await ServeProcess.start(place, {
        binary: process.execPath,
        command: [join(folder, "main.ts")],
        env,
      });
      host.call(1, "shout", { text: "hello" });
      expect((await host.answer(1)).result?.content?.at(-1)?.text).toBe("HELLO");
      expect(await host.close()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.skipIf(process.platform === "win32")("the pipe of the README applies its edit", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "report.txt"), "Status: draft\n");
  const pipe = blocks("README.md", "sh").find((text) => text.startsWith("printf")) ?? "";
  const shell = Bun.spawn(["sh", "-c", `ringfence() { "$RINGFENCE" "$@"; }\n${pipe}`], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], RINGFENCE: await binaryPath(), XDG_STATE_HOME: place.stateDir },
    stdout: "pipe",
  });
  const answers = (await shell.stdout.text()).trim().split("\n");
  expect(answers).toHaveLength(2);
  expect(answers[1]).toContain('"status":"applied"');
  expect(readFileSync(join(place.root, "report.txt"), "utf8")).toBe("Status: final\n");
});
