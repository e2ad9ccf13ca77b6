/**
 * Every row of every dialect, called through a host with a shell: the tool under it does what the row says.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandHost } from "../proc/command-host.ts";
import type { Json, TestHost } from "../host/in-memory-host.ts";
import { PIXEL } from "./reference-servers.ts";
import { FILES, ROW_CASES, type RowCase } from "./row-cases.ts";

/** With underscores for the dots. */
const PLAIN = Object.fromEntries(
  Object.entries(ROW_CASES["flynn"] ?? {}).map(([name, { after, ...rest }]): [string, RowCase] => [
    plain(name),
    { ...rest, ...(after ? { after: [plain(after[0]), after[1]] as const } : {}) },
  ]),
);

describe.skipIf(process.platform !== "linux").each(Object.entries({ ...ROW_CASES, "flynn-plain": PLAIN }))(
  "%s",
  (dialect, cases) => {
    let host: TestHost;

    beforeAll(() => {
      host = openCommandHost({ config: { dialect, shell: { enabled: true } } });
    });
    afterAll(async () => {
      await host[Symbol.asyncDispose]();
    });

    test("the dialect has a case for every row", async () => {
      const { result } = await host.request("tools/list");
      const names = (result.tools as Json[]).map(({ name }) => name as string);
      expect(names.filter((name) => name !== "await_review")).toEqual(Object.keys(cases));
    });

    test.each(Object.entries(cases))(
      "a row of the dialect holds: %s",
      async (name, { args, says, hides, leaves, after, check }) => {
        layFiles(host.root);
        const before = after ? await host.call(after[0], after[1]) : undefined;
        const id = before && /^(?:\{"id":")?(run_[\w-]+)/.exec(before.text)?.[1];
        const pid = before && /^run_.*, pid (\d+)$/m.exec(before.text)?.[1];
        const said = JSON.stringify(args).replace('"ID"', JSON.stringify(id ?? ""));
        const given = JSON.parse(said.replace('"PID"', pid ?? "0")) as object;
        const answer = await host.call(name, given);
        expect(answer.failure).toBeUndefined();
        if (says !== undefined) expect(answer.all).toMatch(says);
        if (hides !== undefined) expect(answer.all).not.toMatch(hides);
        if (leaves) expect(contentOf(host.root, leaves[0])).toBe(leaves[1]);
        check?.(answer, host);
      },
    );
  },
);

function layFiles(root: string): void {
  for (const name of ["src", "copy", "x", "new", "n.txt", "new.txt", "z.txt"])
    rmSync(join(root, name), { recursive: true, force: true });
  mkdirSync(join(root, "src/deep"), { recursive: true });
  for (const [path, content] of Object.entries(FILES)) writeFileSync(join(root, path), content);
  writeFileSync(join(root, "pixel.png"), Buffer.from(PIXEL, "base64"));
}

function contentOf(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
}

function plain(name: string): string {
  return name.replaceAll(".", "_");
}
