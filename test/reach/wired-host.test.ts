/**
 * A program whose network is a list, in the compiled host with its real broker: what it reaches, what it does not, and what is on
 * record of both.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { until } from "../waits/until.ts";

const curl = component("curl");

const heard: (string | null)[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    heard.push(request.headers.get("host"));
    return new Response("here");
  },
});
afterAll(async () => await server.stop(true));

test.skipIf(curl.isMissing || process.platform !== "linux")(
  `a command with a list reaches what it has through the broker, and each connection is on record${curl.note}`,
  async () => {
    using place = new Place();
    const file = join(place.path, "config.json");
    const url = { type: "string", required: true, may_be_option: false };
    const get = {
      description: "Gets.",
      program: "curl",
      args: ["--silent", "--show-error", "--max-time", "20", "{url}"],
      parameters: { url },
      network: { reach: [`localhost:${server.port}`] },
      risk: "R1",
      changes: false,
    };
    writeFileSync(file, JSON.stringify({ commands: { get } }));
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", file];
    await using serve = await ServeProcess.start(place, { binary: await binaryPath(), command: args });
    const textOf = async (id: number, to: string): Promise<string> => {
      serve.call(id, "cmd_get", { url: to });
      return ((await serve.answer(id)).result?.content ?? []).flatMap(({ text }) => text ?? []).join("\n");
    };
    expect(await textOf(1, `http://localhost:${server.port}/x`)).toContain("here");
    expect(await textOf(2, "http://elsewhere.example/")).toContain("may not be reached");
    expect(heard).toEqual([`localhost:${server.port}`]);
    const lines = await until("both lines of the record", () => {
      const found = connectionsOf(place);
      return found.length === 2 && found;
    });
    expect(lines).toEqual([
      expect.objectContaining({
        host: "localhost",
        port: server.port,
        address: "127.0.0.1",
        program: expect.stringContaining("get"),
      }),
      expect.objectContaining({ host: "elsewhere.example", port: 80, why: "it is not in reach" }),
    ]);
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
