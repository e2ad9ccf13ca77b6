/**
 * `bun run test:clients`: the long form of `test/clients`. It installs every agent that the tests know, with
 * `scripts/test-components.sh --clients=all`, and gives each scenario of each agent a session of its own.
 *
 * `bun run test:clients Codex` plays only the tests whose titles have that word.
 */
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const [name] = process.argv.slice(2);

run(["bash", "scripts/test-components.sh", "--clients=all"]);
process.exitCode = run([
  process.execPath,
  "test",
  "--timeout=480000",
  "./test/clients",
  ...(name === undefined ? [] : ["--test-name-pattern", name]),
]);

function run(command: string[]): number {
  const { exitCode } = Bun.spawnSync(command, {
    cwd: ROOT,
    env: { ...process.env, RINGFENCE_TEST_CLIENTS: "long" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return exitCode;
}
