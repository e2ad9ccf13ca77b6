/**
 * `bun run test:clarvis CHECKOUT`: the public contract tests of Clarvis agent-tools (github.com/getclarvis/agent-tools), with
 * every tool call answered by our binary in the dialect `clarvis`. CHECKOUT is a clone after `npm ci`; nothing is fetched, and
 * nothing in it is changed: the tests run in a copy, where `scripts/clarvis/core.ts` stands in the place of `src/core.ts`.
 * The last line is `passed N of M`, in cases that call a tool; the failed ones are named before it, and those of the contract
 * are counted by themselves. A failed case that docs/systems.md does not name makes the exit code 1; without FILE so do more failed
 * cases of the contract than are known, and a run in which no case has called a tool.
 *
 * Another user than root with ripgrep on the PATH runs all 409 cases of the contract: 15 are skipped for root, others without it.
 * `--mode=default` proposes each change and each command, and the adapter approves them one by one.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** How many of all cases of the contract have to pass. */
const [WANTED, ALL] = [340, 409];

interface Case {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Case[] }[];
}

interface Ran {
  readonly report: Report;
  /** The cases that call a tool. */
  readonly called: ReadonlySet<string>;
  readonly copy: string;
}

const flags = process.argv.slice(2).filter((one) => one.startsWith("--"));
const [checkout, ...patterns] = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const mode = flags.find((one) => one.startsWith("--mode="))?.slice("--mode=".length) ?? "bypass";
if (checkout === undefined || !existsSync(join(checkout, "node_modules/vitest"))) {
  console.error(
    "Usage: bun run test:clarvis CHECKOUT [--mode=default] [FILE ...], where CHECKOUT is a clone after npm ci",
  );
  process.exit(2);
}
const ran = await runTests(resolve(checkout));
const counts = { contract: { passed: 0, failed: 0 }, others: { passed: 0, failed: 0 } };
const failed: string[] = [];
const unnamed: string[] = [];
const page = readFileSync(join(ROOT, "docs/systems.md"), "utf8");
for (const { name: file, assertionResults } of ran.report.testResults)
  for (const { fullName, status, failureMessages = [] } of assertionResults) {
    if (!ran.called.has(`${file} ${fullName}`)) continue;
    const path = file.slice(ran.copy.length + 1);
    const count = counts[path.startsWith("tests/contract/") ? "contract" : "others"];
    if (status === "passed") count.passed++;
    else {
      count.failed++;
      failed.push(`${path} > ${fullName}\n    ${firstLine(failureMessages)}`);
      if (!page.includes(fullName)) unnamed.push(fullName);
    }
  }
const { contract, others } = counts;
if (failed.length > 0) console.log(`failed:\n${failed.join("\n")}`);
if (unnamed.length > 0) console.log(`not in docs/systems.md:\n${unnamed.join("\n")}`);
const cases = contract.passed + contract.failed;
console.log(`tests/contract: passed ${contract.passed} of ${cases}`);
console.log(`passed ${contract.passed + others.passed} of ${cases + others.passed + others.failed}`);
const isTooFew = patterns.length === 0 && (cases === 0 || contract.failed > ALL - WANTED);
process.exit(unnamed.length > 0 || isTooFew ? 1 : 0);

async function runTests(from: string): Promise<Ran> {
  const copy = mkdtempSync(join(tmpdir(), "ringfence-clarvis-suite-"));
  try {
    for (const part of ["src", "tests", "package.json", "tsconfig.json"])
      cpSync(join(from, part), join(copy, part), { recursive: true });
    symlinkSync(join(from, "node_modules"), join(copy, "node_modules"));
    // What lists their tools stays theirs: only calls are answered by us.
    renameSync(join(copy, "src/core.ts"), join(copy, "src/their-core.ts"));
    const adapter = readFileSync(join(ROOT, "scripts/clarvis/core.ts"), "utf8");
    writeFileSync(join(copy, "src/core.ts"), `${adapter}\nexport { listTools } from "./their-core.js";\n`);
    const out = join(copy, "report.json");
    const calls = join(copy, "called.jsonl");
    const vitest = [
      "node",
      join(from, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=json",
      `--outputFile=${out}`,
    ];
    // The adapter asks for the running case by the global, and a busy machine is slow.
    const ways = ["--globals", "--maxWorkers=2", "--testTimeout=30000", "--hookTimeout=30000"];
    const files = patterns.length > 0 ? patterns : ["tests/contract/", "tests/integration/"];
    const child = Bun.spawn([...vitest, ...ways, ...files], {
      cwd: copy,
      env: {
        ...process.env,
        RINGFENCE_BINARY: join(ROOT, "dist/ringfence"),
        RINGFENCE_MODE: mode,
        RINGFENCE_CALLED: calls,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await child.exited;
    const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
    const called = new Set(lines.map((line) => callKey(JSON.parse(line) as { file: string; name: string })));
    return { report: JSON.parse(readFileSync(out, "utf8")) as Report, called, copy };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Vitest joins the titles of a case with ` > ` in one place and with blanks in the other. */
function callKey({ file, name }: { readonly file: string; readonly name: string }): string {
  return `${file} ${name.replaceAll(" > ", " ")}`;
}

function firstLine(messages: readonly string[]): string {
  return (messages[0] ?? "").split("\n")[0] ?? "";
}
