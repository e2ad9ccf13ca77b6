/**
 * Lists of a store that lies: about keys, sizes, the end of the list, and whether it is a list at all.
 */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openObjectsHost } from "./objects-host.ts";
import { answerWith, entry, listing, openOwnStore, type Play } from "./own-store.ts";

const store = await openOwnStore();
const { endpoint } = store;
afterAll(async () => await store[Symbol.asyncDispose]());
beforeEach(() => store.forget());

const accepting = { mode: "accept_edits", results: "structured" };

describe("a list that lies", () => {
  test("keys beside the prefix, sizes that are none and entries without a key are left out and counted", async () => {
    const bad = ["other/x", "../p/x"].map((key) => entry(key)).join("") + entry("p/n", "-1") + entry("p/e", "1e9");
    store.plays.set("builds", answerWith(listing(`${entry("p/ok")}${bad}<Contents><Size>3</Size></Contents>`)));
    await using host = await openObjectsHost({ endpoint, config: { results: "structured" } });
    const { structured } = await host.call("object_list", { prefix: "p/" });
    expect([structured["objects"], structured["left_out"]]).toEqual([[expect.objectContaining({ key: "p/ok" })], 5]);
  });

  test("a list without end ends, in one call and in a sync", async () => {
    let pages = 0;
    const endless = (token: () => string): Play =>
      answerFrom(() =>
        listing(`<IsTruncated>true</IsTruncated><NextContinuationToken>${token()}</NextContinuationToken>`),
      );
    const answerFrom =
      (body: () => string): Play =>
      (_request, _url, response) => {
        pages++;
        response.end(body());
      };
    await using host = await openObjectsHost({ endpoint, config: accepting });
    store.plays.set(
      "builds",
      endless(() => "same"),
    );
    expect((await host.call("object_list", { cursor: "same" })).all).toContain("The store gives no end of its list");
    expect((await host.call("object_sync", { prefix: "", directory: "out" })).all).toContain(
      "the store gives no end of the list",
    );
    pages = 0;
    store.plays.set(
      "builds",
      endless(() => `t${pages}`),
    );
    expect((await host.call("object_sync", { prefix: "", directory: "out" })).all).toContain(
      "the store gives no end of the list",
    );
    expect(pages).toBe(20);
  });

  test.each([
    ["no token", ""],
    ["an empty token", "<NextContinuationToken></NextContinuationToken>"],
    ["a token that is too long", `<NextContinuationToken>${"t".repeat(2049)}</NextContinuationToken>`],
  ])("a list that goes on with %s is not taken for a whole one", async (_what, token) => {
    store.plays.set("builds", answerWith(listing(`${entry("p/one")}<IsTruncated>true</IsTruncated>${token}`)));
    await using host = await openObjectsHost({ endpoint, config: accepting });
    const listed = await host.call("object_list", { prefix: "p/" });
    expect(listed.structured["truncated"]).toBe(true);
    expect(listed.all).toContain("The store gives no end of its list");
    const synced = await host.call("object_sync", { prefix: "p/", directory: "out" });
    expect(synced.structured["cut"]).toBe('the store gives no end of the list of "art/builds"');
  });

  const doctype = `<!DOCTYPE x [<!ENTITY a "${"A".repeat(1000)}">${Array.from({ length: 9 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join("")}<!ENTITY file SYSTEM "file:///etc/hostname">]>`;
  const NO_LISTS: readonly (readonly [what: string, body: string | Buffer])[] = [
    [
      "entities that grow",
      `${doctype}<ListBucketResult><Contents><Key>&j;&file;</Key><Size>1</Size></Contents></ListBucketResult>`,
    ],
    ["a million nested elements", `<ListBucketResult>${"<a>".repeat(1_000_000)}`],
    ["a million empty elements", listing("<Contents/>".repeat(300_000))],
    [
      "100,000 entries",
      listing(
        Array.from({ length: 60_000 }, (_, at) => entry(`k${at}`))
          .join("")
          .slice(0, 4_000_000),
      ),
    ],
    ["a key of a megabyte", listing(entry("k".repeat(1_000_000)))],
    ["no XML at all", Buffer.from([0, 255, 1, 2, 3])],
    ["nothing", ""],
    ["HTML", "<!doctype html><p>hello</p>"],
  ];

  test("what is no list, however large or deep, is a bounded answer or a failure, and the next call works", async () => {
    store.stock({ fine: "fine" }, "logs");
    await using host = await openObjectsHost({ endpoint, buckets: ["builds", "logs"] });
    for (const [what, body] of NO_LISTS) {
      store.plays.set("builds", answerWith(body));
      const { failure, all } = await host.call("object_list", {});
      expect(["none", "command_failed", "too_large"]).toContain(failure?.code ?? "none");
      expect([what, all.length < 200_000, all.includes("AAAAAAAAAA")]).toEqual([what, true, false]);
      expect((await host.call("object_list", { bucket: "logs" })).text).toStartWith("fine  4 bytes");
    }
  });

  test("a list that is longer than a page can be is too large", async () => {
    store.plays.set("builds", answerWith(listing(" ".repeat(5 * 1024 * 1024))));
    await using host = await openObjectsHost({ endpoint });
    expect((await host.call("object_list", {})).failure?.code).toBe("too_large");
  });
});
