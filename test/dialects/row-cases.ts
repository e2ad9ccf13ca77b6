/**
 * One call for every row of every dialect, with what must have come of it: on the disk, or in the answer. A row without a
 * case, or a case without a row, fails.
 */
import { expect } from "bun:test";
import type { CallAnswer, TestHost } from "../host/in-memory-host.ts";

export const FILES: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\n",
  "b.txt": "ONE more\n",
  "src/main.ts": "let a = 1;\nlet b = 2;\n",
  "src/deep/leaf.ts": "leaf\n",
  ".hidden": "dot\n",
  ".ignore": "ignored.txt\n",
  "ignored.txt": "one\n",
};

export interface RowCase {
  readonly args: Readonly<Record<string, unknown>>;
  /** What the whole answer must hold. */
  readonly says?: string | RegExp;
  /** What it must not hold. */
  readonly hides?: string | RegExp;
  /** A file, and what it holds then; undefined: it is gone. */
  readonly leaves?: readonly [path: string, content: string | undefined];
  /** A call before it, whose id takes the place of ID and whose process id that of PID. */
  readonly after?: readonly [name: string, args: Readonly<Record<string, unknown>>];
  readonly check?: (answer: CallAnswer, host: TestHost) => void;
}

const PATCH =
  "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: new.txt\n+new\n*** Delete File: b.txt\n*** End Patch\n";
const EDITED = "1\ntwo\nthree\nfour\nfive\n";
const EDITED_TWICE = "1\ntwo\nthree\nfour\n5\n";

export const ROW_CASES: Readonly<Record<string, Readonly<Record<string, RowCase>>>> = {
  claude: {
    Read: {
      args: { file_path: "a.txt", offset: 2, limit: 2 },
      says: /^\[.*Read \{"file_path":"a.txt","offset":4,"limit":2\}\]\n +2\ttwo\n +3\tthree\n$/,
    },
    Write: { args: { file_path: "new/n.txt", content: "new\n" }, leaves: ["new/n.txt", "new\n"] },
    Edit: { args: { file_path: "a.txt", old_string: "one", new_string: "1" }, leaves: ["a.txt", EDITED] },
    MultiEdit: {
      args: {
        file_path: "a.txt",
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "five", new_string: "5" },
        ],
      },
      leaves: ["a.txt", EDITED_TWICE],
    },
    Glob: { args: { pattern: "*" }, says: /^\.hidden$/m, hides: /^ignored/m },
    Grep: {
      args: { pattern: "ONE", "-i": true, glob: "*.txt" },
      says: /^\[.*\]\na\.txt\nb\.txt\n/,
      hides: "two",
    },
    LS: { args: { path: ".", ignore: ["*.txt"] }, says: /^src\/\t/m, hides: "a.txt" },
    Bash: {
      args: { command: "cat a.txt", timeout: 9000, description: "x" },
      says: /^\[.*\]\nexit code 0, .*\none\ntwo/,
    },
    BashOutput: {
      args: { bash_id: "ID" },
      after: ["Bash", { command: "cat a.txt", run_in_background: true }],
      says: /^run_\S+ /,
    },
    KillShell: {
      args: { shell_id: "ID" },
      after: ["Bash", { command: "tail -f a.txt", run_in_background: true }],
      says: "ended with",
    },
  },
  codex: {
    apply_patch: {
      args: { input: PATCH },
      leaves: ["a.txt", EDITED],
      check: (_, { read }) => read("new.txt"),
    },
    shell: {
      args: { command: ["cat", "a.txt"], workdir: ".", justification: "x", sandbox_permissions: "x" },
      says: /^\[.*\]\nexit code 0, .*\none\n/,
    },
    shell_command: {
      args: { command: "cat leaf.ts", workdir: "src/deep" },
      says: /^\[.*\]\nexit code 0, .*\nleaf/,
    },
    read_file: { args: { file_path: "a.txt", offset: 5 }, says: /^\[.*\]\n +5\tfive\n/ },
    list_dir: { args: { dir_path: "." }, says: /^src\/deep\/\t/m, hides: "leaf.ts" },
    grep_files: { args: { pattern: "let", include: "*.ts" }, says: /^\[.*\]\nsrc\/main\.ts$/ },
    view_image: {
      args: { path: "pixel.png" },
      check: ({ result }) => expect(result.content[1].type).toBe("image"),
    },
  },
  gemini: {
    read_file: { args: { file_path: "a.txt", start_line: 2, end_line: 3 }, says: /^\[.*\]\ntwo\nthree\n$/ },
    write_file: { args: { file_path: "new/n.txt", content: "new\n" }, leaves: ["new/n.txt", "new\n"] },
    replace: {
      args: {
        file_path: "src/main.ts",
        instruction: "x",
        old_string: "let",
        new_string: "const",
        allow_multiple: true,
      },
      leaves: ["src/main.ts", "const a = 1;\nconst b = 2;\n"],
    },
    grep_search: {
      args: { pattern: "ONE", names_only: true, include_pattern: "*.txt" },
      says: /^\[.*\]\na\.txt\nb\.txt\n/,
    },
    search_file_content: {
      args: { pattern: "ONE", include: "*.txt" },
      says: /^\[.*\]\na\.txt:1:one\nb\.txt:1:ONE more\n/,
    },
    list_directory: { args: { dir_path: ".", ignore: ["*.txt"] }, says: /^src\/\t/m, hides: "a.txt" },
    glob: { args: { pattern: "*.txt", respect_git_ignore: false }, says: /^ignored\.txt$/m },
    read_many_files: {
      args: { include: ["a.txt", "b.txt"] },
      says: /==> a\.txt <==\n\[.*\]\none\n[^]*==> b\.txt <==\n\[.*\]\nONE more\n*$/,
    },
    run_shell_command: {
      args: { command: "cat leaf.ts", dir_path: "src/deep" },
      says: /^\[.*\]\nexit code 0, .*\nleaf/,
    },
  },
  filesystem: {
    read_file: { args: { path: "a.txt", head: 1 }, says: /^one$/ },
    read_text_file: { args: { path: "a.txt", tail: 2 }, says: /^five\n$/ },
    read_media_file: {
      args: { path: "pixel.png" },
      check: ({ result }) => expect(result.content[0].mimeType).toBe("image/png"),
    },
    read_multiple_files: {
      args: { paths: ["b.txt", "none"] },
      says: /^b\.txt:\nONE more\n\n\n---\nnone: Error - /,
    },
    write_file: {
      args: { path: "n.txt", content: "new\n" },
      says: /^Successfully wrote to n\.txt$/,
      leaves: ["n.txt", "new\n"],
    },
    edit_file: {
      args: { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] },
      says: /^```diff\n/,
      leaves: ["a.txt", EDITED],
    },
    create_directory: { args: { path: "x/y" }, says: /^Successfully created directory x\/y$/ },
    list_directory: { args: { path: "src" }, says: /^\[DIR\] deep\n\[FILE\] main\.ts$/ },
    list_directory_with_sizes: {
      args: { path: "src" },
      says: /^\[FILE\] main\.ts +22 B\n\nTotal: 1 files, 1 directories\nCombined size: 22 B$/m,
    },
    directory_tree: {
      args: { path: "src/deep" },
      says: '[\n  {\n    "name": "leaf.ts",\n    "type": "file"\n  }\n]',
    },
    move_file: {
      args: { source: "a.txt", destination: "z.txt" },
      says: /^Successfully moved a\.txt to z\.txt$/,
      leaves: ["a.txt", undefined],
    },
    search_files: {
      args: { path: "src", pattern: "**/*.ts", excludePatterns: ["deep"] },
      says: /^\/\S+\/src\/main\.ts$/,
    },
    get_file_info: {
      args: { path: "a.txt" },
      says: /^size: 24\ncreated: .*\nisDirectory: false\nisFile: true\npermissions: \d{3}$/s,
    },
    list_allowed_directories: { args: {}, says: /^Allowed directories:\n\/\S+$/ },
  },
  flynn: {
    "file.read": {
      args: { path: "a.txt", encoding: "base64" },
      says: Buffer.from(FILES["a.txt"] ?? "").toString("base64"),
    },
    "file.write": { args: { path: "n.txt", content: "new\n" }, leaves: ["n.txt", "new\n"] },
    "file.edit": { args: { path: "a.txt", search: "one", replace: "1" }, leaves: ["a.txt", EDITED] },
    "file.list": { args: { path: "src", recursive: true }, says: /^src\/deep\/leaf\.ts\t/m },
    "shell.exec": {
      args: { command: "cat leaf.ts", cwd: "src/deep", timeout: 9000 },
      says: /^\[.*\]\nexit code 0, .*\nleaf/,
    },
    "process.start": { args: { command: "cat", args: ["a.txt"] }, says: /^run_\S+ .*, pid \d+$/m },
    "process.status": {
      args: { pid: "PID" },
      after: ["process.start", { command: "tail", args: ["-f", "a.txt"], cwd: "." }],
      says: /^run_\S+ {2}running {2}pid \d+, /,
    },
    "process.output": {
      args: { pid: "PID" },
      after: ["process.start", { command: "cat", args: ["a.txt"] }],
      says: /^run_\S+ .*, pid \d+$/m,
    },
    "process.kill": {
      args: { pid: "PID", signal: "SIGKILL" },
      after: ["process.start", { command: "tail", args: ["-f", "a.txt"] }],
      says: "ended with signal SIGKILL",
    },
    "process.list": { args: {}, after: ["process.start", { command: "cat", args: ["a.txt"] }], says: /^run_\S+ / },
    "system.info": { args: {}, says: /^ringfence / },
  },
  construct: {
    read: { args: { path: "a.txt", offset: 2, limit: 1 }, says: /^\[.*\]\n +2\ttwo\n/ },
    write: { args: { path: "n.txt", content: "new\n" }, leaves: ["n.txt", "new\n"] },
    edit: { args: { path: "a.txt", old: "one", new: "1" }, leaves: ["a.txt", EDITED] },
    bash: { args: { command: "cat a.txt", timeout: 9 }, says: /^\[.*\]\nexit code 0, .*\none\n/ },
    glob: { args: { pattern: "**/*.ts", path: "src" }, says: "src/deep/leaf.ts" },
    grep: { args: { pattern: "let", include: "*.ts" }, says: "src/main.ts:1:let a = 1;" },
    listdir: { args: { path: "src" }, says: "src/main.ts\t" },
  },
  "construct-operator": {
    read_file: { args: { path: "a.txt" }, says: /^\[.*\]\n +1\tone\n +2\ttwo\n/ },
    write_file: { args: { path: "n.txt", content: "new\n" }, leaves: ["n.txt", "new\n"] },
    edit_file: { args: { path: "a.txt", old_string: "one", new_string: "1" }, leaves: ["a.txt", EDITED] },
    bash: { args: { command: "cat a.txt" }, says: /^\[.*\]\nexit code 0, .*\none\n/ },
    glob: { args: { pattern: "**/*.ts" }, says: "src/deep/leaf.ts" },
    grep: { args: { pattern: "let", glob: "*.ts" }, says: "src/main.ts:1:let a = 1;" },
    list_dir: { args: { path: "src" }, says: "src/main.ts\t" },
  },
  clarvis: {
    read_file: { args: { path: "a.txt", offset: 2, limit: 1 }, says: /^ {5}2\ttwo\n\[\.\.\. 1 of 5 lines shown/ },
    read_image: {
      args: { path: "pixel.png" },
      check: ({ result }) => {
        expect(result.content.map(({ type }: { readonly type: string }) => type)).toEqual(["image"]);
      },
    },
    read_files: {
      args: { paths: ["a.txt", "b.txt"] },
      says: /^==> a\.txt <==\n {5}1\tone\n[^]*\n\n==> b\.txt <==\n {5}1\tONE more$/,
    },
    write_file: { args: { path: "n.txt", content: "new\n" }, leaves: ["n.txt", "new\n"] },
    edit_file: { args: { path: "a.txt", old_string: "one", new_string: "1" }, leaves: ["a.txt", EDITED] },
    multi_edit: {
      args: {
        path: "a.txt",
        edits: [
          { old_string: "one", new_string: "eins" },
          { old_string: "eins", new_string: "1" },
        ],
      },
      leaves: ["a.txt", EDITED],
    },
    apply_patch: {
      args: { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+1\n" },
      leaves: ["a.txt", EDITED],
      says: /^Applied patch:\n {2}M a\.txt \(\+1 -1\)$/,
    },
    replace: {
      args: { pattern: "let (a)", replacement: "$&$$$1", glob: "*.ts", dry_run: false },
      leaves: ["src/main.ts", "let a$a = 1;\nlet b = 2;\n"],
      says: "Replaced 1 occurrence(s) in 1 file(s):\n  M src/main.ts (1 replacement)",
    },
    list_dir: { args: { path: "src" }, says: /^deep\/\nmain\.ts\t22$/ },
    glob: { args: { pattern: "**/*.ts" }, says: "src/deep/leaf.ts" },
    grep: {
      args: { pattern: "LET", glob: "*.ts", output_mode: "content", ignore_case: true, head_limit: 1 },
      says: /^src\/main\.ts:1:let a = 1;\n\[\.\.\. showing 0\.\.1 of 2; call again with offset=1 for more \.\.\.\]$/,
    },
    diff: { args: { from: "a.txt", to: "b.txt" }, says: /^--- a\.txt\n\+\+\+ b\.txt\n@@/ },
    bash: {
      args: { command: "cat leaf.ts", cwd: "src/deep", timeout_ms: 0 },
      says: '{"exit_code":0,"stdout":"leaf\\n","stderr":"","signal":null,"timed_out":false}',
    },
    monitor_start: { args: { command: "cat a.txt", ready_when: "t.o" }, says: /"ready":true,"output":"one\\ntwo/ },
    monitor_poll: {
      args: { id: "ID", match: "f" },
      after: ["monitor_start", { command: "cat a.txt; sleep 100000", ready_when: "five" }],
      says: '{"running":true,"output":"four\\nfive","next_offset":24,"exit_code":null}',
    },
    monitor_stop: {
      args: { id: "ID" },
      after: ["monitor_start", { command: "tail -f a.txt" }],
      says: /^\{"stopped":true,"id":"run_/,
    },
    monitor_list: {
      args: {},
      after: ["monitor_start", { command: "tail -f a.txt" }],
      says: /"command":"tail -f a\.txt","running":true,"started_at":\d+,"cwd":"/,
    },
    move: {
      args: { source: "a.txt", destination: "z.txt" },
      leaves: ["a.txt", undefined],
      says: "Moved a.txt → z.txt.",
    },
    copy: { args: { source: "a.txt", destination: "n.txt" }, says: "Copied a.txt → n.txt." },
    mkdir: { args: { path: "x/y" }, says: "Created directory x/y." },
    remove: { args: { path: "a.txt" }, leaves: ["a.txt", undefined], says: "Removed a.txt." },
    file_stat: { args: { path: "a.txt" }, says: '"binary":false,"mime":null' },
    tree: {
      args: { path: "src", depth: 1 },
      says: /^src\n├── deep\/\n└── main\.ts\t22$/,
    },
  },
};
