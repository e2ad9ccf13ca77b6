/**
 * The official clients against the real binary in every dialect: they check each schema and each structured result, and
 * one call of reading and one of changing goes through.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { SDK_CLIENTS, type SdkClient } from "./sdk-clients.ts";
import { textOf } from "./sdk-session.ts";
import { Place } from "./serve-process.ts";

/** Names of the calls, and of the parameters that they are given. */
const CALLS: readonly (readonly [dialect: string, read: string, path: string, write: string])[] = [
  ["claude", "Read", "file_path", "Write"],
  ["gemini", "read_file", "file_path", "write_file"],
  ["filesystem", "read_text_file", "path", "write_file"],
  ["flynn", "file.read", "path", "file.write"],
  ["flynn-plain", "file_read", "path", "file_write"],
  ["construct", "read", "path", "write"],
  ["clarvis", "read_file", "path", "write_file"],
];
const MATRIX = SDK_CLIENTS.flatMap(([name, connect]) => CALLS.map((call) => [name, call[0], connect, call] as const));

async function open(place: Place, connect: (typeof SDK_CLIENTS)[number][1], args: string[]): Promise<SdkClient> {
  writeFileSync(join(place.root, "a.txt"), "one\n");
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.path };
  const more = ["--state-dir", place.stateDir, "--mode=accept_edits"];
  return await connect({ command: await binaryPath(), args: ["serve", ...args, ...more], env });
}

describe.skipIf(process.platform !== "linux")("the official clients", () => {
  test.each(MATRIX)(
    "the official client %s works in the dialect %s",
    async (_name, dialect, connect, [, read, path, write]) => {
      using place = new Place();
      const roots = dialect === "filesystem" ? [place.root] : ["--root", place.root];
      await using client = await open(place, connect, [`--dialect=${dialect}`, ...roots]);
      const listed = await client.listTools();
      expect(listed.map(({ name }) => name)).toContain(read);
      expect(textOf(await client.call(read, { [path]: "a.txt" }))).toContain("one");
      await client.call(write, { [path]: "n.txt", content: "new\n" });
      expect(readFileSync(join(place.root, "n.txt"), "utf8")).toBe("new\n");
    },
  );

  test("codex changes files by patch", async () => {
    using place = new Place();
    const [, connect] = SDK_CLIENTS[0] ?? [];
    if (!connect) throw new Error("there is no client");
    await using client = await open(place, connect, ["--dialect=codex", "--root", place.root]);
    const input = "*** Begin Patch\n*** Add File: n.txt\n+new\n*** End Patch\n";
    await client.call("apply_patch", { input });
    expect(readFileSync(join(place.root, "n.txt"), "utf8")).toBe("new\n");
  });

  test("a configuration chooses the dialect too, and the instructions speak it", async () => {
    using place = new Place();
    const [, connect] = SDK_CLIENTS[0] ?? [];
    if (!connect) throw new Error("there is no client");
    const config = join(place.path, "ringfence.json");
    writeFileSync(config, JSON.stringify({ dialect: "claude" }));
    await using client = await open(place, connect, ["--config", config, "--root", place.root]);
    expect((await client.listTools())[0]?.name).toBe("Read");
    expect(client.instructions).toContain("Read a file before Edit or Write.");
  });
});
