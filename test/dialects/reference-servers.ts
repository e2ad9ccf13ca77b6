/**
 * The reference filesystem server and ours in its place, each a process of its own behind the official client, on folders
 * that are alike down to their times.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const REFERENCE = join(REPOSITORY, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

/** A picture of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "notes.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n",
  "no-newline.txt": "a\nb",
  "empty.txt": "",
  "crlf.txt": "first\r\nsecond\r\nthird\r\n",
  "umlaut.md": "Grüße, 世界 🙂\n",
  "ticks.md": "```js\nlet a = 1;\n```\nend\n",
  "src/main.ts": "export const a = 1;\nexport const b = 2;\n",
  "src/deep/er/leaf.ts": "leaf\n",
  "src/style.css": "body {}\n",
  ".hidden/inner.txt": "hidden\n",
  "node_modules/x/index.js": "x\n",
  "pixel.png": Buffer.from(PIXEL, "base64"),
  "data.bin": new Uint8Array([0, 1, 2, 250, 255]),
  "sound.wav": new Uint8Array([82, 73, 70, 70]),
  "big.dat": new Uint8Array(3000).fill(65),
};

/** A block, a result as it came. */
export interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface Server extends AsyncDisposable {
  readonly root: string;
  readonly client: Client;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** @param more flags of ours besides those of a drop-in */
export async function openOurs(more: readonly string[] = ["--mode=bypass", "--baseline=if_known"]): Promise<Server> {
  const main = join(REPOSITORY, "src/main.ts");
  return await open("ours", (root, top) => [
    main,
    "serve",
    "--dialect=filesystem",
    root,
    `--state-dir=${join(top, "state")}`,
    "--fence=off",
    ...more,
  ]);
}

async function openReference(): Promise<Server> {
  return await open("reference", (root) => [REFERENCE, root]);
}

async function open(name: string, argumentsFor: (root: string, top: string) => readonly string[]): Promise<Server> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `ringfence-${name}-`)));
  const root = join(top, "root");
  layOut(root);
  const client = new Client({ name: "ringfence-test", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: top };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...argumentsFor(root, top)],
      env,
      cwd: top,
      stderr: "ignore",
    }),
  );
  await client.listTools();
  return {
    root,
    client,
    call: async (tool, given = {}) => (await client.callTool({ name: tool, arguments: { ...given } })) as Answer,
    async [Symbol.asyncDispose]() {
      await client.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function layOut(root: string): void {
  mkdirSync(join(root, "empty"), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  symlinkSync("notes.txt", join(root, "link.txt"));
  const time = new Date("2024-05-06T07:08:09Z");
  for (const path of Object.keys(FILES)) utimesSync(join(root, path), time, time);
}

export type Given = Readonly<Record<string, unknown>>;

/** The two, with the same files. */
export interface Pair extends AsyncDisposable {
  readonly ours: Server;
  readonly reference: Server;
  /** What each answers to the same call: ours first. */
  both(name: string, given?: Given): Promise<[Answer, Answer]>;
}

export async function openPair(): Promise<Pair> {
  const [ours, reference] = await Promise.all([openOurs(), openReference()]);
  return {
    ours,
    reference,
    both: async (name, given = {}) => [await callOne(ours, name, given), await callOne(reference, name, given)],
    async [Symbol.asyncDispose]() {
      await ours[Symbol.asyncDispose]();
      await reference[Symbol.asyncDispose]();
    },
  };
}

/** ROOT stands for the root of each, in the call and in its answer. */
export async function callOne(server: Server, name: string, given: Given): Promise<Answer> {
  const own = JSON.parse(JSON.stringify(given).replaceAll("ROOT", server.root)) as Given;
  const { _meta: _, ...answer } = (await server.call(name, own)) as Answer & { _meta?: unknown };
  return JSON.parse(JSON.stringify(answer).replaceAll(server.root, "ROOT")) as Answer;
}
