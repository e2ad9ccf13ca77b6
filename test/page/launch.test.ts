/**
 * How a browser is opened: by a file that its owner alone can read, with a code that is good one time.
 */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { until } from "../waits/until.ts";
import { WebReview } from "./web-review.ts";

test("the file that a browser is opened with is its owner's alone, and good one time", async () => {
  using own = new Place();
  const programs = join(own.path, "programs");
  mkdirSync(programs);
  const opened = join(own.path, "opened");
  writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\necho "$@" > ${opened}.new\nmv ${opened}.new ${opened}\n`);
  chmodSync(join(programs, "xdg-open"), 0o755);
  await using desk = await WebReview.start(own, {
    opens: true,
    env: { DISPLAY: ":99", PATH: `${programs}:${process.env["PATH"]}` },
  });
  await until("the browser is opened", () => readdirSync(own.path).includes("opened"));
  const file = readFileSync(opened, "utf8").trim();
  expect(file).toMatch(/\/review\/l_[\w-]{22}\.html$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const code = /#c=([\w-]{43})/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  expect(code).toHaveLength(43);
  const open = async (given: string): Promise<Response> =>
    await desk.ask("launch", { code: given }, { "ringfence-capability": "" });
  expect((await open("guess")).status).toBe(401);
  const { capability } = (await (await open(code)).json()) as { capability: string };
  expect((await desk.ask("policy", {}, { "ringfence-capability": capability })).status).toBe(200);
  expect((await open(code)).status).toBe(401);
});

test("the right code is worth nothing after three guesses", async () => {
  using own = new Place();
  await using desk = await WebReview.start(own, { opens: true, env: { DISPLAY: ":99" } });
  const folder = join(own.stateDir, "review");
  const name = await until("the file is there", () => readdirSync(folder).find((one) => one.endsWith(".html")));
  const code = /#c=([\w-]{43})/.exec(readFileSync(join(folder, name), "utf8"))?.[1] ?? "";
  for (const given of ["a", "b", "c", code])
    expect((await desk.ask("launch", { code: given }, { "ringfence-capability": "" })).status).toBe(401);
});
