/**
 * Completion: paths inside the roots as a list would show them, never a secret, never what a rule closes, at most a
 * hundred, quickly; values of parameters that have few.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { makeTree } from "../search/make-tree.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import type * as search from "../../src/search/index.ts";

const FILES = {
  "alpha.txt": "a\n",
  "alphabet/x.txt": "x\n",
  "beta.txt": "b\n",
  ".env": "K=1\n",
  id_rsa: "k\n",
  "closed/c.txt": "c\n",
  "sub/we ird#1?%.txt": "odd\n",
};

const TEMPLATE = { type: "ref/resource", uri: "ringfence://root/0/{+path}" };
const PROMPT = { type: "ref/prompt", name: "explain_file" };
const READ = { type: "ref/tool", name: "read_file" };

async function complete(host: TestHost, ref: object, value: string, name = "path"): Promise<Json> {
  const { result, error } = await host.modern("completion/complete", { ref, argument: { name, value } });
  return error ?? result.completion;
}

test.each(["constructor", "toString", "__proto__", "nope"])("%s is no parameter of a tool", async (name) => {
  await using host = openTestHost({ files: FILES });
  expect(await complete(host, READ, "", name)).toMatchObject({ code: -32602 });
});

describe("paths", () => {
  test.each([TEMPLATE, PROMPT, READ])("completion gives the paths of %j", async (ref) => {
    await using host = openTestHost({ files: FILES });
    expect(await complete(host, ref, "alpha")).toEqual({
      values: ["alpha.txt", "alphabet/"],
      hasMore: false,
    });
    expect((await complete(host, ref, "alphabet/")).values).toEqual(["alphabet/x.txt"]);
    expect((await complete(host, ref, "")).values).toEqual(["alpha.txt", "alphabet/", "beta.txt", "closed/", "sub/"]);
    for (const none of [".e", "id_", "..", "../", "~", "zz", "alpha.txt/"])
      expect(await complete(host, ref, none)).toEqual({ values: [], hasMore: false });
  });

  test("in a template are escaped where the address needs it", async () => {
    await using host = openTestHost({ files: FILES });
    const { values } = await complete(host, TEMPLATE, "sub/");
    expect(values).toEqual(["sub/we ird%231%3F%25.txt"]);
    const uri = `ringfence://root/0/${encodeURI(values[0]).replaceAll("%25", "%")}`;
    expect((await host.request("resources/read", { uri })).result.contents[0].text).toBe("odd\n");
    expect((await complete(host, TEMPLATE, "sub/we ird%23")).values).toEqual(values);
    expect((await complete(host, READ, "sub/")).values).toEqual(["sub/we ird#1?%.txt"]);
  });

  test("in a template have no ./ before a name that is shown with one", async () => {
    await using host = openTestHost({ files: { "~/x.txt": "x\n", "bytes:a": "b\n" } });
    expect((await complete(host, TEMPLATE, "")).values).toEqual(["bytes:a", "~/"]);
    expect((await complete(host, TEMPLATE, "~/")).values).toEqual(["~/x.txt"]);
    expect((await complete(host, READ, "")).values).toEqual(["./bytes:a", "./~/"]);
    const { result } = await host.request("resources/read", { uri: "ringfence://root/0/~/x.txt" });
    expect(result.contents[0].text).toBe("x\n");
  });

  test("outside of the roots, directly or by a link, are not named", async () => {
    await using host = openTestHost({ files: FILES });
    mkdirSync(host.outside, { recursive: true });
    writeFileSync(join(host.outside, "far.txt"), "far");
    symlinkSync(host.outside, join(host.root, "link"));
    for (const value of [`${host.outside}/`, "/etc/", "link/", "sub/../../"])
      expect((await complete(host, READ, value)).values).toEqual([]);
    expect((await complete(host, READ, `${host.root}/al`)).values).toEqual([
      `${host.root}/alpha.txt`,
      `${host.root}/alphabet/`,
    ]);
    expect((await complete(host, READ, host.root.slice(0, -1))).values).toContain(`${host.root}/`);
  });

  test.each(["deny", "ask"])(
    "paths that a rule closes (%s) are not named, whether for the tool or for lists",
    async (verdict) => {
      for (const tool of ["read_file", "list_directory"]) {
        const rules = [{ [verdict]: `${tool}(closed/**)` }, { [verdict]: `${tool}(beta.txt)` }];
        await using host = openTestHost({ files: FILES, config: { rules } });
        expect((await complete(host, READ, "closed/")).values).toEqual([]);
        expect((await complete(host, READ, "be")).values).toEqual([]);
        expect((await complete(host, READ, "al")).values).toEqual(["alpha.txt", "alphabet/"]);
      }
    },
  );

  test("completion gives no paths where lists are hidden", async () => {
    await using host = openTestHost({
      files: FILES,
      config: { toolList: { deny: ["list_directory"] } },
    });
    expect((await complete(host, READ, "al")).values).toEqual([]);
  });

  test("the paths of a large directory are a hundred, and soon there", async () => {
    await using host = openTestHost({ files: { "big/keep": "x" } });
    for (let index = 0; index < 20_000; index++) writeFileSync(join(host.root, `big/f${index}`), "");
    const { values, hasMore } = await complete(host, READ, "big/f1");
    expect(values).toHaveLength(100);
    expect(hasMore).toBe(true);
    expect(values.slice(0, 3)).toEqual(["big/f1", "big/f10", "big/f100"]);
    // Each name is gone through once, and rules are asked about those that may be among the first.
    const counted = await loadCounted<typeof search>("src/search/index.ts");
    expectGrowth({ size: 4000, mostGrowth: 2.1, mostPerUnit: 110 }, (size) => {
      // In no order, in whatever order the file system gives them.
      const names = Array.from({ length: size }, (_, at) => `f${(at * 7919) % size}`);
      const tree = makeTree(Object.fromEntries(names.map((name) => [name, ""])));
      return () => {
        using planted = tree;
        let asked = 0;
        counted.completePath(planted.ctx, "f", () => ++asked > 0);
        expect(asked).toBeLessThan(size / 2);
      };
    });
  });
});

test("completion gives the values of parameters with few of them", async () => {
  await using host = openTestHost();
  const grep = { type: "ref/tool", name: "grep" };
  expect((await complete(host, grep, "c", "output")).values).toEqual(["content", "count"]);
  expect((await complete(host, grep, "", "literal")).values).toEqual(["true", "false"]);
  expect((await complete(host, grep, "x", "pattern")).values).toEqual([]);
});

test.each([
  [{ type: "ref/other" }, "path"],
  [{ type: "ref/prompt", name: "none" }, "path"],
  [{ type: "ref/prompt", name: "explain_file" }, "none"],
  [{ type: "ref/tool", name: "none" }, "path"],
  [{ type: "ref/tool", name: "read_file" }, "none"],
  [{ type: "ref/resource", uri: "ringfence://root/7/{+path}" }, "path"],
  [{ type: "ref/resource", uri: "file:///{path}" }, "path"],
  [undefined, "path"],
])("completion gives nothing for an unknown name: %j", async (ref, name) => {
  await using host = openTestHost();
  const { error } = await host.request("completion/complete", { ref, argument: { name, value: "" } });
  expect(error.code).toBe(-32602);
});
