/**
 * Which file may use which power: start workers and programs, open sockets, read the environment, the clock or
 * randomness, print, write to the disk. Every power has one home, so that a reader who asks "who writes?" has the
 * answer in the table below.
 *
 * Usual mistake: allowing one more file because it is convenient. Take the value as an argument instead.
 */
import { resolvePath } from "./layers.ts";
import { blankOut, lineOf, readImports, type SourceFile } from "./source-code.ts";

/** Violations as `path:line: message`. */
export function checkPowers(file: SourceFile): string[] {
  const code = blankOut(file.text, "comments and strings");
  const problems = RULES.filter((rule) => !rule.allowed.test(file.path)).flatMap((rule) =>
    [...code.matchAll(rule.pattern)].map(
      (match) => `${file.path}:${lineOf(code, match.index)}: Cannot use ${match[0].trim()} here: ${rule.home}`,
    ),
  );
  return [
    ...problems,
    ...checkPromisesApi(file),
    ...checkModules(file),
    ...checkOpenings(file),
    ...checkCallbacks(file),
    ...checkForeignCalls(file),
    ...checkTool(file, code),
    ...checkWorker(file),
  ];
}

interface Rule {
  readonly pattern: RegExp;
  readonly allowed: RegExp;
  readonly home: string;
}

const WRITERS = /^src\/(txn|state|audit)\//;

const RULES: readonly Rule[] = [
  {
    pattern: /\bz\.describe(?=\()/g,
    allowed: /^src\/(?!config\/|packs\/)/,
    home: "it copies the schema, and described() of src/contract/described.ts does not",
  },
  { pattern: /\bnew Worker\b/g, allowed: /^src\/pool\//, home: "only src/pool starts workers" },
  {
    pattern:
      /\bprocess\s*\.\s*(?:env|argv|cwd|chdir)\b|\bprocess\s*\[|\benv\b[^{};]*\}\s*=\s*process\b|\bBun\s*\.\s*env\b/g,
    allowed: /^src\/(config\/environment|main)\.ts$|^src\/cli\//,
    home: "the environment is read in src/config/environment.ts, src/main.ts and src/cli",
  },
  {
    pattern:
      /\b(?:Date\.now|new Date(?=\(\))|performance\.now|Math\.random|randomBytes|randomUUID\w*|getRandomValues)\b/g,
    // The page runs in a browser, which has a clock of its own.
    allowed: /^src\/(?:base\/clock\.ts$|page\/browser\/)/,
    home: "the clock and randomness are read in src/base/clock.ts",
  },
  {
    pattern: /\b(?:dlopen|linkSymbols|CFunction)\b/g,
    allowed: /^src\/sys\/libc\.ts$/,
    home: "only src/sys/libc.ts loads a library",
  },
  {
    pattern: /\bBun\b/g,
    allowed: /^(?!src\/(?:calls|client)\/)/,
    home: "the client runs in plain Node",
  },
  {
    pattern: /\bprocess\s*\.\s*stdout\b|\bconsole\s*\./g,
    allowed: /^src\/cli\//,
    home: "stdout carries the protocol",
  },
  {
    pattern:
      /\b(?:writeFile|appendFile|rename|unlink|mkdir|mkdtemp|rm|rmdir|link|symlink|copyFile|cp|f?truncate|[fl]?chmod|[fl]?chown|[fl]?utimes)Sync\b|\bBun\s*\.\s*write\b|\bcreateWriteStream\b|\b(?:renameToFreeName|copyFileRange|writeAttributes|setExact(?:Link)?Times)\b/g,
    // `sys` only wraps the calls; the control groups are the kernel's own files and not a disk.
    allowed: new RegExp(`${WRITERS.source}|^src/sys/|^src/proc/tree/control-group\\.ts$`),
    home: "only src/txn, src/state and src/audit change the disk",
  },
  {
    // What is written into a descriptor: files by the writers, pipes by the few that hold one end, and memory by the start.
    pattern: /\bwritev?Sync\b/g,
    allowed: new RegExp(
      `${WRITERS.source}|^src/proc/run/|^src/(?:base/log|cli/print|fence/(?:keeper|enter-fence)|fence/supervise/supervise|proc/network/reach-broker|jobs/read/local-context)\\.ts$`,
    ),
    home: "files are written by src/txn, src/state and src/audit, and pipes by src/proc/run",
  },
  {
    pattern:
      /\bBun\s*\.\s*(?:connect|listen|serve|udpSocket)\b|(?<![.\w#])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b|=\s*fetch\b|\bnew\s+WebSocket\b/g,
    // A started program says by a port that it is ready; everything else is reached by the broker. The page has a server in a
    // process of its own, and what runs in the browser asks that. `ringfence notify` is no host.
    allowed:
      /^src\/(?:(?:proc\/run\/background|reach\/broker\/[a-z-]+|page\/server\/serve-page|cli\/notify\/post-webhook)\.ts$|page\/browser\/)/,
    home: "the host opens no socket; only the broker, the look at a started program's port, the page's server and the webhook of notify do",
  },
  {
    pattern: /\bBun\s*\.\s*(?:spawn(?:Sync)?\b|\$)/g,
    // A client checks itself after it was set up, as the person would have it do; a person's own terminal has the shell that
    // mends it after a kill, and the editor that they ask for.
    allowed:
      /^src\/proc\/|^src\/cli\/(?:commands\/doctor|clients\/check-client|screen\/(?:terminal-keeper|open-editor))\.ts$/,
    home: "only src/proc starts programs",
  },
  {
    pattern: /\b(?:openSockets|connectedSockets|openCallListener|forkProgram)\b/g,
    allowed: /^src\/(?:sys|fence|proc)\//,
    home: "sockets and processes of our own are made by src/fence and src/proc",
  },
  {
    // Taken apart, a power has a name that no rule here knows.
    pattern: /\}\s*=\s*Bun\b(?!\s*\.)|\bgetBuiltinModule\b/g,
    allowed: /^src\/audit\/chain\.ts$/,
    home: "a power is used by its whole name",
  },
];

/** Modules of the runtime that open sockets or start programs, and the folders that may import them. */
const MODULES: readonly { readonly name: RegExp; readonly allowed: RegExp; readonly why: string }[] = [
  // The broker is the only way out.
  {
    name: /^(?:node:)?(?:net|dgram|tls|https?|http2)$/,
    allowed: /^src\/reach\/broker\//,
    why: "the host opens no socket",
  },
  { name: /^(?:node:)?dns(?:\/promises)?$/, allowed: /^src\/reach\/broker\//, why: "only the broker asks for names" },
  { name: /^bun$/, allowed: /^(?!)/, why: "a power is used by its whole name, as Bun.spawn" },
  { name: /^bun:sqlite$/, allowed: /^src\/memory\//, why: "only the memory has a database" },
  // The client starts a host from any program, in Node as well.
  { name: /^(?:node:)?child_process$/, allowed: /^src\/client\//, why: "only src/proc starts programs" },
];

function checkModules(file: SourceFile): string[] {
  return readImports(file.text).flatMap(({ specifier, line }) =>
    MODULES.filter(({ name, allowed }) => name.test(specifier) && !allowed.test(file.path)).map(
      ({ why }) => `${file.path}:${line}: Cannot use ${specifier} here: ${why}`,
    ),
  );
}

/** Functions of `node:fs` with a callback share the pool of its promises, and would pass the names above. */
function checkCallbacks(file: SourceFile): string[] {
  // A control group is no file of a disk.
  if (file.path === "src/proc/tree/control-group.ts") return [];
  const code = blankOut(file.text, "comments");
  return [...code.matchAll(CALLBACK_IMPORT)].map(
    (match) =>
      `${file.path}:${lineOf(code, match.index)}: Cannot use ${match[1]} of node:fs here: the functions that end in Sync are used`,
  );
}

const CALLBACK_IMPORT =
  /\bimport\s*\{[^}]*\b(writev?|writeFile|appendFile|open|rename|unlink|mkdir|mkdtemp|rm|rmdir|link|symlink|copyFile|cp|truncate|chmod|chown|utimes)\b(?!\s*:)[^}]*\}\s*from\s*"(?:node:)?fs"/g;

/** A file is opened for writing where files are written; `/dev/null` of a program that is about to start is no file. */
function checkOpenings(file: SourceFile): string[] {
  if (WRITERS.test(file.path) || file.path === "src/fence/keeper.ts") return [];
  const code = blankOut(file.text, "comments");
  return [...code.matchAll(OPENED_FOR_WRITING)].map(
    (match) =>
      `${file.path}:${lineOf(code, match.index)}: Cannot open a file for writing here: only src/txn, src/state and src/audit change the disk`,
  );
}

const OPENED_FOR_WRITING =
  /\bopenSync\([^;]*?(?:"(?:[wa]x?|r)\+?s?(?<!"rs?)"|\bO_(?:WRONLY|RDWR|CREAT|APPEND|TRUNC)\b)/g;

function checkPromisesApi(file: SourceFile): string[] {
  if (WRITERS.test(file.path)) return [];
  return readImports(file.text)
    .filter((used) => /^(node:)?fs\/promises$/.test(used.specifier))
    .map(
      (used) => `${file.path}:${used.line}: Cannot use ${used.specifier} here: its pool is shared and can be starved`,
    );
}

/** Only the wrappers know addresses and C types. */
function checkForeignCalls(file: SourceFile): string[] {
  if (file.path.startsWith("src/sys/")) return [];
  return readImports(file.text)
    .filter((used) => used.specifier === "bun:ffi")
    .map((used) => `${file.path}:${used.line}: Cannot use bun:ffi here: every foreign call is in src/sys`);
}

/** A tool has the powers of its context and no others. The code of a power (`serve-*.ts`, and a folder of that name) is imported where its fence is. */
function checkTool(file: SourceFile, code: string): string[] {
  if (!file.path.startsWith("src/packs/") || /\/serve-[a-z-]+(?:\/[a-z-]+)?\.ts$/.test(file.path)) return [];
  const words = [...code.matchAll(/\b(?:Bun|process|globalThis|require|fetch(?=\s*\())\b/g)].map(
    (match) => `${file.path}:${lineOf(code, match.index)}: Cannot use ${match[0]} in a tool: take it from the context`,
  );
  const isOfStart = OF_START.test(file.path);
  const may = isOfStart ? SETTINGS_MAY_IMPORT : TOOL_MAY_IMPORT;
  const imports = readImports(file.text)
    .filter((used) => used.specifier !== (isOfStart ? "zod/mini" : "zod"))
    .filter((used) => !may.test(resolvePath(file.path, used.specifier)))
    .map(
      (used) =>
        `${file.path}:${used.line}: Cannot import "${used.specifier}" in a tool: only base, text, contract and zod (zod/mini in a plan and its settings)`,
    );
  return [...words, ...imports];
}

/** What a start loads of a pack has the schemas that are loaded faster; clients see no difference. */
const OF_START = /(?:^|[/-])(?:plan|settings)\.ts$/;

const TOOL_MAY_IMPORT = /^src\/(?:packs\/.+|(?:base|text|contract)\/index)\.ts$/;
const SETTINGS_MAY_IMPORT = /^src\/(?:packs\/.+|(?:base|text|contract)\/index|contract\/described)\.ts$/;

/** A worker is an adapter; its work lives in src, where it can be tested without a thread. */
function checkWorker(file: SourceFile): string[] {
  if (!file.path.startsWith("workers/")) return [];
  const lines = file.text.trimEnd().split("\n").length;
  return lines < MAX_WORKER_LINES ? [] : [`${file.path}:1: Cannot have ${lines} lines: a worker stays under 30`];
}

const MAX_WORKER_LINES = 30;
