/**
 * Pages as the code behind `web_fetch` sees them in its process: by their type, and in parts that are whole or not read at all.
 */
import { describe, expect, test } from "bun:test";
import type { PageAsk } from "../../../src/packs/web/page-read.ts";
import { handlers } from "../../../src/packs/web/serve-page.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const JOB = { signal: new AbortController().signal } as never;
const LOST = expect.objectContaining({ code: "command_failed" });

async function read(handle: string | undefined, at: number): Promise<string> {
  const how = { url: "http://a.test/", contentType: "text/plain", encoding: "", format: "markdown", main: true };
  const page = await handlers.read({ ...how, handle, at, body: base64("end") } as PageAsk, JOB);
  return page.text;
}

async function begin(): Promise<string> {
  const { handle } = await handlers.put({ at: 0, data: base64("begun, ") }, JOB);
  return handle;
}

test("what comes without a type is looked at, and what has one is taken for that", async () => {
  const how = { url: "http://a.test/", encoding: "", format: "markdown", main: true, body: base64("<html><p>a</p>") };
  const kindOf = async (contentType: string): Promise<string> =>
    (await handlers.read({ ...how, contentType } as PageAsk, JOB)).text;
  expect(await kindOf("")).toBe("a");
  expect(await kindOf("text/plain")).toBe("<html><p>a</p>");
});

describe("a page in parts", () => {
  test("a page is read with all of its parts, and once", async () => {
    const handle = await begin();
    await handlers.put({ handle, at: 7, data: base64("goes on, ") }, JOB);
    expect(await read(handle, 16)).toBe("begun, goes on, end");
    await expect(read(handle, 16)).rejects.toEqual(LOST);
    expect(await read(undefined, 0)).toBe("end");
  });

  test("the end of a page whose beginning is in no process, or not all of it, is no page", async () => {
    await expect(read("page_elsewhere", 7)).rejects.toEqual(LOST);
    await expect(read(await begin(), 14)).rejects.toEqual(LOST);
    await expect(read(undefined, 7)).rejects.toEqual(LOST);
  });

  test("a part that follows a lost one begins no page of its own", async () => {
    const handle = await begin();
    for (const ask of [{ handle: "page_elsewhere", at: 7 }, { handle, at: 14 }, { at: 7 }])
      expect(() => handlers.put({ ...ask, data: base64("later") }, JOB)).toThrow("a part of it did not arrive");
  });

  test("whoever begins more pages than are kept loses the oldest, and hears of it", async () => {
    const first = await begin();
    for (let pages = 0; pages < 16; pages++) await begin();
    await expect(read(first, 7)).rejects.toEqual(LOST);
  });
});
