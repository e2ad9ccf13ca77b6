/**
 * What an attacker writes into a command line, through the executable: lines that look as if they only read, and would set
 * a variable, start a program of the tree, follow a link, or name what no tool may see. Each of them is asked about, and the
 * ordinary lines beside them are not.
 *
 * Usual mistake: to add the line of a report only. Every group is a class, and has its near neighbours.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Place, ServeProcess } from "./serve-process.ts";

const isPosix = process.platform !== "win32";

/** Programs of the tree that a steered look-up would find. */
const PLANTED = ["ls", "0/ls", "4/ls", "bin/ls", "empty/ls2"];

const FILES: Readonly<Record<string, string>> = {
  "a.txt": "one\n",
  ".env": "KEY=hidden-value\n",
  "server.key": "hidden-value\n",
  "closed/f.txt": "denied-value\n",
  "project/a.txt": "one\n",
  "project/.gitignore": "node_modules\n",
  "project/src/main.ts": "export {};\n",
  "deep/er/.env": "KEY=hidden-value\n",
  "plain/x.txt": "x\n",
  "other/x.txt": "y\n",
};

class Shell {
  readonly place: Place = new Place();
  #serving: ServeProcess | undefined;
  #id = 0;

  async start(mode: string, more: readonly string[] = []): Promise<void> {
    const { root, path } = this.place;
    for (const [name, content] of Object.entries(FILES)) this.plant(name, content);
    for (const name of PLANTED) this.plant(name, `#!/bin/sh\necho ran > ${join(root, "PWNED")}\n`, 0o755);
    mkdirSync(join(root, "docs"));
    symlinkSync("../.env", join(root, "docs", "guide.md"));
    mkdirSync(join(root, "ways"));
    symlinkSync("/etc/hostname", join(root, "ways", "out"));
    symlinkSync("a.txt", join(root, "project", "in"));
    const shell = {
      enabled: true,
      environment: { PATH: `${join(root, "bin")}:/usr/bin:/bin`, BASH_ENV: "a.txt" },
    };
    writeFileSync(join(path, "config.json"), JSON.stringify({ shell }));
    const args = ["--config", join(path, "config.json"), "--mode", mode, ...more];
    this.#serving = await ServeProcess.start(this.place, { args });
  }

  plant(name: string, content: string, mode: number = 0o644): void {
    const path = join(this.place.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  }

  /** `ran`, or that it waits for a person. */
  async line(command: string, more: object = {}): Promise<{ readonly verdict: string; readonly text: string }> {
    const id = ++this.#id;
    this.#serving?.call(id, "shell", { command, ...more });
    const answer = await this.#serving?.find((message) => message.id === id);
    const text = String(answer?.result?.["content"]?.at(-1)?.text);
    const asked = answer?.result?.["_meta"]?.["dev.ringfence/proposal"] !== undefined;
    return { verdict: asked ? "asked" : text.startsWith("exit code") ? "ran" : "refused", text };
  }

  async verdicts(lines: readonly string[], more: object = {}): Promise<string[]> {
    const found: string[] = [];
    for (const line of lines) found.push(`${(await this.line(line, more)).verdict}: ${line}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#serving?.[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}

const all = (verdict: string, lines: readonly string[]): string[] => lines.map((line) => `${verdict}: ${line}`);

describe.skipIf(!isPosix)("a line that is run unasked", () => {
  const shell = new Shell();
  beforeAll(async () => await shell.start("accept_edits"));
  afterAll(async () => await shell[Symbol.asyncDispose]());

  test("a line that is run unasked sets no variable, whatever signs stand in a format of printf", async () => {
    const lines = [
      "printf %lln PATH; ls",
      "printf 1234%lln PATH && ls",
      "printf %hhn PATH; ls",
      "printf '%*hhn' 1 PATH; ls",
      "printf %jztLn PATH; ls",
      "printf -- '%5lln' PATH; ls",
      "printf '%s%lln' x PATH; ls",
      "printf '%.*lln' 3 PATH; ls",
      "printf %Q x",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
    const plain = [
      "printf '%5d|%-10s|%05.2f\\n' 1 a 2",
      "printf '%(%Y-%m-%d)T\\n' -1",
      "printf '%x %o %c %q %b %%\\n' 255 8 a b c",
    ];
    expect(await shell.verdicts(plain)).toEqual(all("ran", plain));
  });

  test("a line that is run unasked starts the programs of the system, whatever PATH the configuration has for other lines", async () => {
    const lines = ["ls project", "ls project | sort", "true && ls project"];
    expect(await shell.verdicts(lines)).toEqual(all("ran", lines));
    expect(existsSync(join(shell.place.root, "PWNED"))).toBe(false);
    expect((await shell.line("ls2")).verdict).toBe("asked");
  });

  test("a line that is run unasked tells of nothing outside the roots, by no way to look for programs or zones", async () => {
    const lines = [
      "which /bin/sh",
      "type /bin/sh",
      "type -P ../config.json",
      "command -v /bin/sh",
      "command -V ../config.json",
      "date -d 'TZ=\"/etc/hostname\" now'",
      "find project -newermt 'TZ=\"/etc/hostname\" now'",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
    const plain = ["which ls", "type ls", "command -v ls", "date -d '2024-01-02 +1 day' +%F"];
    expect(await shell.verdicts(plain)).toEqual(all("ran", plain));
  });

  test("a line that is run unasked compares no directory that holds a secret, a denied file or a link", async () => {
    const lines = [
      "diff -N . empty",
      "diff . empty",
      "diff -r deep empty",
      "diff -N docs empty",
      "diff -r docs empty",
      "diff plain/x.txt docs",
      "diff -q docs plain",
    ];
    for (const line of lines) {
      const { verdict, text } = await shell.line(line);
      expect([line, verdict, /hidden-value|denied-value/.test(text)]).toEqual([line, "asked", false]);
    }
    const plain = ["diff plain other", "diff a.txt plain/x.txt"];
    expect((await shell.verdicts(plain)).map((one) => one.slice(0, 3))).toEqual(["ran", "ran"]);
  });

  test("a line that is run unasked tells of no link what it leads to outside", async () => {
    const lines = [
      "find ways -readable",
      "find ways -xtype f",
      "find . -name x -executable",
      "ls -lF ways",
      "ls --color=always ways",
      "ls -lp ways",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
    const plain = ["ls -l ways", "find ways", "ls -lF project", "find project -readable"];
    expect(await shell.verdicts(plain)).toEqual(all("ran", plain));
  });

  test("names nothing that no tool may see", async () => {
    const lines = [
      "ls",
      "ls -a",
      "ls -lA",
      "ls -f .",
      "ls -aR deep",
      "find .",
      "find deep",
      "find . -name '*.txt' -o -type f",
      "find . -print -name x",
      "find deep -name '.e*'",
      "find deep -iname '.ENV'",
      "find . ! -name '*.ts'",
      "du -a",
      "du -a deep",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
  });

  test("an ordinary line is still run unasked", async () => {
    const lines = [
      "ls project",
      "ls -la project",
      "ls deep",
      "ls -R deep/er",
      "ls -R deep",
      "ls -d .",
      "ls -l a.txt",
      "find . -name '*.ts'",
      "find project",
      "find . -maxdepth 0",
      "du -a project",
      "du -sh .",
      "diff -r plain other",
      "diff -u plain/x.txt other/x.txt | cat",
      "grep -c one a.txt",
      "cat a.txt | sort | uniq -c",
      "stat -c %s a.txt",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("ran", lines));
  });
});

describe.skipIf(!isPosix)("with deny rules, a line that is run unasked", () => {
  const shell = new Shell();
  beforeAll(async () => await shell.start("accept_edits", ["--deny", "closed/f.txt"]));
  afterAll(async () => await shell[Symbol.asyncDispose]());

  test("neither names nor compares what they cover", async () => {
    const lines = [
      "ls closed",
      "ls -a closed",
      "ls -l closed",
      "diff -N closed empty",
      "diff closed plain",
      "find closed",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
    const plain = ["ls plain", "ls -la project", "ls -d closed", "diff a.txt project/a.txt"];
    expect(await shell.verdicts(plain)).toEqual(all("ran", plain));
  });
});

describe.skipIf(!isPosix)("with bypass", () => {
  const shell = new Shell();
  beforeAll(async () => await shell.start("bypass"));
  afterAll(async () => await shell[Symbol.asyncDispose]());

  test("what would run and cannot be read is asked about", async () => {
    const lines = [
      "bash <(base64 -d a.txt)",
      "python3 <(base64 -d a.txt)",
      "make -f <(base64 -d a.txt)",
      "base64 -d a.txt | make -f -",
      "base64 -d a.txt > b.sh; bash b.sh",
      "base64 -d a.txt | tee b.sh; sh b.sh",
      'bash <<< "$(base64 -d a.txt)"',
      `python3 -c "exec(__import__('base64').b64decode('cHJpbnQoMSk='))"`,
      `python3 -c "import os; os.system(open('a.txt').read())"`,
      `node -e "eval(atob('MQ=='))"`,
      "perl -e 'eval $x'",
      "awk '{system($0)}' a.txt",
      `awk '{print | "sh"}' a.txt`,
      "xargs -I{} sh -c {} < a.txt",
      "xargs sh -c < a.txt",
      "xargs bash < a.txt",
      "xargs -I% % < a.txt",
      "xargs env < a.txt",
      "parallel < a.txt",
      "find plain -exec sh -c '{}' \\;",
      "find plain -type f -exec {} \\;",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("asked", lines));
    expect(existsSync(join(shell.place.root, "b.sh"))).toBe(false);
  });

  test("what can be read runs", async () => {
    const lines = [
      "xargs -n1 echo < a.txt",
      "find plain -type f -exec cat {} \\;",
      "echo ls > b.sh; bash b.sh > list.txt",
      "awk '{print $1}' a.txt",
      "bash -c 'cat a.txt'",
    ];
    expect(await shell.verdicts(lines)).toEqual(all("ran", lines));
  });

  test("a line that does more keeps the PATH that the configuration gives it", async () => {
    await shell.line("ls > list.txt");
    expect(existsSync(join(shell.place.root, "PWNED"))).toBe(true);
  });
});
