/**
 * Another MCP server whose network is a list, in the compiled host with its real broker: what the server reaches, what it does not, and
 * what is on record of both.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";

const FIXTURES = join(import.meta.dir, "..", "fixtures", "upstream");

let heard = { listed: 0, other: 0 };
const listed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${++heard.listed}`) });
const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${++heard.other}`) });
afterAll(async () => await Promise.all([listed.stop(true), other.stop(true)]));

test.skipIf(process.platform !== "linux")(
  "another server with a list reaches what it has through the broker and nothing else, and each connection is on record",
  async () => {
    heard = { listed: 0, other: 0 };
    using place = new Place();
    const file = join(place.path, "config.json");
    const server = {
      command: process.execPath,
      args: [join(FIXTURES, "hostile-server.ts"), "reach"],
      reads: [FIXTURES, dirname(process.execPath)],
      network: { reach: [`localhost:${listed.port}`] },
      memory_mb: 65_536,
      as: { fetch_it: { tool: "echo" } },
    };
    writeFileSync(file, JSON.stringify({ mode: "bypass", upstream: { far: server } }));
    const binary = await binaryPath();
    const common = ["--root", place.root, "--state-dir", place.stateDir, "--config", file];
    const review = Bun.spawn([binary, "upstream", "review", "--approve", ...common], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, stderr] = await Promise.all([review.stdout.text(), review.stderr.text()]);
    expect([await review.exited, said + stderr]).toEqual([0, expect.stringContaining("echo")]);
    await using serve = await ServeProcess.start(place, { binary, command: ["serve", ...common] });
    const networkOf = async (id: number, url: string): Promise<string> => {
      serve.call(id, "fetch_it", { text: `/nowhere /nowhere ${url}` });
      const texts = ((await serve.answer(id)).result?.content ?? []).flatMap(({ text }) => text ?? []);
      return (JSON.parse(texts.at(-1) ?? "{}") as { network: string }).network;
    };
    expect(await networkOf(1, `http://localhost:${listed.port}/`)).toBe("ok");
    for (const [index, url] of [`http://localhost:${other.port}/`, `http://127.0.0.1:${other.port}/`].entries())
      await networkOf(2 + index, url);
    expect(heard).toEqual({ listed: 1, other: 0 });
    const lines = connectionsOf(place);
    expect(lines).toContainEqual(
      expect.objectContaining({ host: "localhost", port: listed.port, address: "127.0.0.1" }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ port: other.port, why: "it is not in reach" }));
  },
);

function connectionsOf({ stateDir }: Place): readonly unknown[] {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { readonly event: string })
    .filter(({ event }) => event === "connected");
}
