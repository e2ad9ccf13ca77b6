/**
 * Files of secrets and lock files through the executable: by every name that copies of them are given, in roots that lie
 * inside the directories of credentials, and in the record of what was started.
 */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Place, ServeProcess, type CallResult } from "./serve-process.ts";

const NEEDLE = "needle-of-the-test";

/** Closed to every tool: none says what is in it. */
const CLOSED: readonly string[] = [
  ".env~",
  "#.env#",
  ".env.bak",
  ".env.pub",
  ".env.swp",
  "id_rsa~",
  "id_ed25519.old",
  "server.key.bak",
  "server.pem.orig",
  ".server.key.swp",
  ".netrc~",
  ".npmrc.bak",
  "#.pypirc#",
  "kubeconfig.2024-11-05",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "env/prod.tfstate.1",
  "login.keyring",
  ".ssh.old/config",
  ".git/credentials",
];

const OPEN: readonly string[] = [".env.example", ".git/config", "id_rsa.pub", "main.tf", "a.bak", "keyring.ts"];

test("copies of secrets, states and keyrings are closed, and what looks like them is not", async () => {
  using place = new Place();
  lay(place.root, [...CLOSED, ...OPEN]);
  await using host = await ServeProcess.start(place, { args: ["--mode", "bypass"] });
  for (const path of CLOSED) {
    for (const [tool, args] of [
      ["read_file", { path }],
      ["read_file", { path, encoding: "base64" }],
      ["hash_file", { paths: [path] }],
      ["copy", { source: path, destination: "copied.txt" }],
      ["grep", { pattern: "needle", path }],
    ] as const) {
      const answer = JSON.stringify(await ask(host, tool, args));
      expect([path, tool, answer]).toEqual([path, tool, expect.stringContaining("denied")]);
      expect([path, tool, answer.includes(NEEDLE)]).toEqual([path, tool, false]);
    }
  }
  for (const path of OPEN)
    expect([path, JSON.stringify(await ask(host, "read_file", { path }))]).toEqual([
      path,
      expect.stringContaining(NEEDLE),
    ]);
  const listed = JSON.stringify(await ask(host, "glob", { pattern: "**/*", hidden: true, no_ignore: true }));
  for (const path of CLOSED) expect([path, listed.includes(path)]).toEqual([path, false]);
});

/** The root, from the home directory, and what lies there. */
const ROOTS: readonly (readonly [root: string, closed: string, open: string])[] = [
  [".config", "gh/hosts.yml", "nvim/init.lua"],
  [".config", "git/credentials", "git/ignore"],
  [".config", "rclone/rclone.conf", "rclone.md"],
  [".docker", "config.json", "contexts.md"],
  [".local/share", "keyrings/default", "applications/a.desktop"],
  [".local", "share/keyrings/default", "share/a.txt"],
  [".cargo", "credentials.toml", "config.toml"],
];

test.each(ROOTS)("a root of ~/%s keeps %s closed, and %s open", async (root, closed, open) => {
  using place = new Place();
  const path = join(place.path, root);
  lay(path, [closed, open]);
  await using host = await ServeProcess.start(place, {
    command: ["serve", "--root", path, "--state-dir", place.stateDir, "--mode", "bypass"],
  });
  for (const [tool, args] of [
    ["read_file", { path: closed }],
    ["grep", { pattern: "needle" }],
    ["copy", { source: closed, destination: "x.txt" }],
    ["write_file", { path: closed, content: "x", overwrite: true }],
  ] as const) {
    const answer = JSON.stringify(await ask(host, tool, args));
    expect([tool, answer]).toEqual([tool, expect.stringContaining("denied")]);
    expect([tool, answer.split(NEEDLE).length - 1]).toEqual([tool, tool === "grep" ? 1 : 0]);
  }
  expect(JSON.stringify(await ask(host, "read_file", { path: open }))).toContain(NEEDLE);
});

const LOCKS: readonly string[] = [
  "go.sum",
  "go.work.sum",
  "bun.lock",
  "bun.lockb",
  "npm-shrinkwrap.json",
  "pnpm-lock.yml",
  "gradle.lockfile",
  "sub/packages.lock.json",
  "Package.resolved",
  "Cartfile.resolved",
  "pylock.toml",
  "uv.lock",
  "requirements.lock.txt",
  "cabal.project.freeze",
  "cpanfile.snapshot",
  "Manifest.toml",
  "lake-manifest.json",
  "npins/sources.json",
  "gems.locked",
  "conda-lock.yml",
];

test("the lock files of all package managers, and configuration files, wait for a person where edits are applied at once", async () => {
  using place = new Place();
  lay(place.root, [...LOCKS, "go.mod", "package.json", "requirements.txt", "requirements.md", "src/a.json"]);
  await using host = await ServeProcess.start(place, { args: ["--mode", "accept_edits"] });
  for (const path of [...LOCKS, "go.mod", "package.json", "requirements.txt"]) {
    await ask(host, "edit_file", { path, old_text: NEEDLE, new_text: "other" });
    expect([path, readFileSync(join(place.root, path), "utf8")]).toEqual([path, `${NEEDLE}\n`]);
  }
  for (const path of ["requirements.md", "src/a.json"]) {
    await ask(host, "edit_file", { path, old_text: NEEDLE, new_text: "other" });
    expect([path, readFileSync(join(place.root, path), "utf8")]).toEqual([path, "other\n"]);
  }
});

test("a token in .git/config is shown in no form", async () => {
  using place = new Place();
  mkdirSync(join(place.root, ".git"));
  const basic = Buffer.from("x-access-token:plain-password-of-a-job").toString("base64");
  const hex = "0f3a9b2c4d5e6f708192a3b4c5d6e7f809a1b2c3";
  writeFileSync(
    join(place.root, ".git", "config"),
    `[remote "origin"]\n\turl = https://${hex}@example.com/a/b\n[http]\n\textraheader = AUTHORIZATION: basic ${basic}\n`,
  );
  await using host = await ServeProcess.start(place);
  for (const [tool, args] of [
    ["read_file", { path: ".git/config" }],
    ["read_file", { path: ".git/config", encoding: "base64", offset: 20, limit: 60 }],
    ["read_file", { path: ".git/config", offset: 2, limit: 1 }],
    ["grep", { pattern: "http", path: ".git/config" }],
  ] as const) {
    const answer = JSON.stringify(await ask(host, tool, args));
    const raw = Buffer.from(/"text":"([A-Za-z0-9+/=]+)"/.exec(answer)?.[1] ?? "", "base64").toString("latin1");
    for (const part of [hex.slice(0, 12), basic.slice(0, 12)])
      expect([tool, args, `${answer}${raw}`.includes(part)]).toEqual([tool, args, false]);
  }
  expect(JSON.stringify(await ask(host, "read_file", { path: ".git/config" }))).toContain("[secret:");
});

/** Behind `ghp`: put together here, so that no scanner takes this file for a leak. */
const TAIL = "_abcdefghijklmnopqrstuvwxyz0123456789";

test("the record has no password of a line or of the values of a command", async () => {
  using place = new Place();
  const config = join(place.path, "config.json");
  const commands = {
    show: {
      description: "Shows.",
      program: "/bin/echo",
      args: ["${password}", "${stage}"],
      parameters: { password: { type: "string" }, stage: { type: "string" } },
    },
  };
  writeFileSync(config, JSON.stringify({ mode: "bypass", shell: { enabled: true }, commands }));
  await using host = await ServeProcess.start(place, { args: ["--config", config] });
  const lines: readonly (readonly [command: string, secret: string])[] = [
    ["PGPASSWORD=hunter2a echo a", "hunter2a"],
    ["echo a --token hunter2b", "hunter2b"],
    ["echo a --password=hunter2c", "hunter2c"],
    ["echo 'Authorization: Bearer hunter2d'", "hunter2d"],
    ["echo https://bob:hunter2e@example.com/", "hunter2e"],
    [`echo ghp${TAIL}`, TAIL],
  ];
  for (const [command] of lines) await ask(host, "shell", { command });
  await ask(host, "cmd_show", { password: "hunter2f", stage: "live" });
  host.request("grant", "ringfence/grants/add", { rule: "shell(deploy --token hunter2g)" });
  await host.answer("grant");
  await host.close();
  const record = recordOf(place);
  for (const secret of [...lines.map(([, one]) => one), "hunter2f", "hunter2g"])
    expect([secret, record.includes(secret)]).toEqual([secret, false]);
  expect(record).toContain("PGPASSWORD=[secret] echo a");
  expect(record).toContain("live");
});

function lay(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${NEEDLE}\n`);
  }
}

let asked = 0;

async function ask(host: ServeProcess, tool: string, args: object): Promise<CallResult | undefined> {
  const id = ++asked;
  host.call(id, tool, args);
  return (await host.answer(id)).result;
}

function recordOf({ stateDir }: Place): string {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
