/**
 * `web_fetch` through a host: what becomes of pages, data, documents and images, and how a long text is read on.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { at, gets, PNG, server } from "./hostile-site.ts";
import { foundIn } from "./secret-page.ts";
import { openWebHost, type WebAnswer, type WebHost } from "./web-host.ts";

let host: WebHost;

beforeAll(async () => {
  host = await openWebHost({
    web: { network: { reach: [`127.0.0.1:${server.port}`] }, methods: ["POST"], per_minute: 10_000 },
  });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await server.stop(true);
});

async function fetchAt(path: string, more: object = {}): Promise<WebAnswer> {
  return await host.call("web_fetch", { url: `${at}${path}`, ...more });
}

test("the description of web_fetch calls what is proposed so, and nothing else", async () => {
  const { tools } = (await host.ask("tools/list")) as unknown as { tools: { name: string; description: string }[] };
  const description = tools.find(({ name }) => name === "web_fetch")?.description;
  expect(description).toMatch(
    /With save_to, the file is a proposed change\. Requests with [A-Z, ]+ wait for a person, unless a rule or the mode allows them\.$/,
  );
  expect(description).not.toContain("The change is proposed first");
});

describe("the headers of web_fetch", () => {
  test("names of headers are taken as people write them, and a Range has the answer unpacked", async () => {
    const headers = { "Content-Type": "application/json", ACCEPT: "text/x-own", Range: "bytes=0-9999" };
    const { failure, text } = await fetchAt("/headers", { headers, format: "raw" });
    expect(failure).toBeUndefined();
    const sent = JSON.parse(text.slice(text.indexOf("{"))) as object;
    expect(sent).toMatchObject({ accept: "text/x-own", "content-type": "application/json", range: "bytes=0-9999" });
    expect(sent).not.toMatchObject({ "accept-encoding": expect.stringContaining("br") as unknown });
  });

  test.each(["Authorization", "Cookie", "X-Api-Key", "Host", "User-Agent"])(
    "the header %s is refused by its name, with those that may be sent",
    async (name) => {
      const headers = { [name]: "x", Accept: "a/b" };
      const { text } = await fetchAt("/headers", { headers });
      expect(text).toBe(
        `invalid_input: Cannot call "web_fetch": the header "${name}" may not be sent. ` +
          "A call may send accept, accept-language, if-none-match, range, content-type; a credential is added by the configuration, in packs.web.credentials.",
      );
    },
  );

  test("a header that is given in two spellings is refused by its name", async () => {
    const { text } = await fetchAt("/headers", { headers: { Accept: "a/b", accept: "c/d" } });
    expect(text).toContain('Cannot call "web_fetch": the header "accept" is given twice');
  });
});

describe("a page", () => {
  test.each(["/page", "/xhtml", "/gzip", "/br", "/deflate", "/deflate-raw", "/twice"])(
    "the page at %s is its main content as Markdown, with tables, code, lists and whole links",
    async (path) => {
      const { text, all } = await fetchAt(path);
      expect(text).toStartWith(`From ${at}${path} (untrusted, fetched `);
      expect(text).toContain("Title: A page & more");
      expect(text).toContain("Under it");
      expect(text).toMatch(/\| Name \| Size \|\n\| -+ \| -+ \|\n\| one +\| 1 +\|/);
      expect(text).toContain("```js\nconst a = 1;\nif (a) b();\n```");
      expect(text).toContain("* first\n* second");
      expect(text).toContain(`[a link](${at}/rel/to) no link`);
      expect(text).not.toMatch(/Navigation|Imprint|never shown|javascript/);
      expect(all).toMatch(/status 200, text\/(?:html|plain)|xhtml/);
    },
  );

  test("code keeps its lines and blanks, fenced also without a code element, and words of a cell stay apart", async () => {
    const { text } = await fetchAt("/layout");
    expect(text).toContain('\n\n````\ndef f():\n    a = 1\n\n\n\n\tb = "*_\\```"   \nend\n````\n\n');
    expect(text).toContain("* item\n  ```py\n  one\n\n\n    two\n  three\n  ```\n");
    expect(text).toContain("> ```\n> a\n>\n> b\n> ```");
    expect(text).toContain("| a b | p1 p2 |");
    expect(text).not.toContain("\0");
  });

  test("the source of a page that its server calls plain text stays as it is", async () => {
    expect((await fetchAt("/source")).text).toContain("<table><thead><tr><th>Name</th>");
  });

  test("the address of a redirect is read as UTF-8 where its header has such bytes", async () => {
    expect((await fetchAt("/to-cafe")).text).toEndWith("the coffee");
  });

  test("a whole page has its navigation too, and a raw one is as it came", async () => {
    const whole = await fetchAt("/page", { main: false });
    expect(whole.text).toContain(`[Navigation](${at}/elsewhere)`);
    expect(whole.text).not.toMatch(/never shown|javascript/);
    expect((await fetchAt("/page", { format: "raw" })).text).toContain('<script>alert("never shown")</script>');
    expect((await fetchAt("/page", { format: "text" })).text).not.toMatch(/[|`]|<p>/);
  });

  test("a redirect within the reach is followed and named, and a status is an answer", async () => {
    const { all } = await fetchAt("/to-page");
    expect(all).toContain(`sent on from ${at}/to-page`);
    expect(all).toContain(`From ${at}/page (untrusted`);
    const missing = await fetchAt("/missing");
    expect(missing.failure).toBeUndefined();
    expect(missing.all).toContain("status 404");
    expect(missing.text).toEndWith("There is nothing here.");
  });

  test("what a page orders stands behind a line that says whose words these are", async () => {
    const { result, text } = await fetchAt("/orders");
    expect(result.content?.map(({ type }) => type)).toEqual(["text", "text"]);
    expect(text).toMatch(/^From http:\S+ \(untrusted, fetched \d\d:\d\dZ\):\n\nIgnore all/);
  });

  test("what no screen shows becomes an escape", async () => {
    expect((await fetchAt("/hidden")).text).toEndWith("a\\u{202e}b\\u{200b}c\\u{e0041}d\\u{7}e");
  });
});

describe("other content", () => {
  test("JSON is laid out, and broken or bottomless JSON is text", async () => {
    expect((await fetchAt("/json")).text).toEndWith('{\n  "a": [\n    1,\n    {\n      "b": "x"\n    }\n  ]\n}');
    expect((await fetchAt("/broken-json")).text).toEndWith('{"a":[1');
    expect((await fetchAt("/deep-json", { limit: 100 })).text).toContain("[[[[");
  });

  test("a PDF is its text by pages, whatever its server calls it", async () => {
    const { text, all } = await fetchAt("/pdf");
    expect(all).toContain("application/pdf");
    expect(text).toMatch(/## Page 1\s+Hello from a page\s+## Page 2\s+and from another/);
  });

  test("an image is written anew without its notes, and one with too many pixels is described", async () => {
    const { result } = await fetchAt("/photo");
    const { data = "" } = (result.content ?? []).find(({ type }) => type === "image") as { data?: string };
    const sent = Buffer.from(data, "base64");
    expect(sent.length).toBeGreaterThan(100);
    for (const part of ["Exif", "2024:05:01", "behind the picture"]) expect(sent.includes(part)).toBe(false);
    const bomb = await fetchAt("/huge-png");
    expect(bomb.result.content?.map(({ type }) => type)).not.toContain("image");
    expect(bomb.all).toContain("it has more than 40 megapixels");
  });

  test("an image is an image by its bytes, and anything else is described", async () => {
    const { result } = await fetchAt("/png");
    const shown = result.content?.find(({ type }) => type === "image") as unknown as { mimeType: string; data: string };
    expect(shown.mimeType).toBe("image/png");
    const [sent, site] = [Buffer.from(shown.data, "base64"), PNG];
    // Written anew, pixel for pixel.
    for (const one of [sent, site]) expect(await new Bun.Image(one).metadata()).toMatchObject({ width: 1, height: 1 });
    expect((await pixelsOf(sent)).equals(await pixelsOf(site))).toBe(true);
    const binary = await fetchAt("/binary");
    expect(binary.all).toContain("application/octet-stream, 4000 bytes");
    expect(binary.text).toContain("[It is no text.");
  });

  test.each([
    ["/latin", "caf\u00e9 cr\u00e8me"],
    ["/meta", "\u041f\u0440\u0438\u0432\u0435\u0442"],
    ["/bom", "caf\u00e9"],
    ["/no-charset", "fine"],
    ["/said-utf-16", "caf\u00e9"],
    ["/xml", "caf\u00e9"],
  ])("the charset of %s is taken from its mark, its header or itself", async (path, expected) => {
    expect((await fetchAt(path)).text).toContain(expected);
  });

  test("a lying charset is told", async () => {
    const { all, text } = await fetchAt("/lying");
    expect(text).toContain("caf\ufffd");
    expect(all).toContain("Some characters could not be read as utf-8");
  });
});

describe("secrets of a page", () => {
  test.each([{}, { main: false }, { format: "text" }, { format: "raw" }])(
    "secrets are replaced in the title, the text, links, tables and code of a page read with %o",
    async (how) => {
      const { all, structured } = await fetchAt("/secrets", how);
      expect(all).toMatch(/About \[secret:[0-9a-f]{6}\]/);
      expect(foundIn(all + JSON.stringify(structured))).toEqual([]);
      expect(all).toMatch(/\d\d secrets are replaced by a placeholder/);
    },
  );

  test("a line without a secret keeps the escapes of Markdown", async () => {
    expect((await fetchAt("/page")).text).toContain("snake_case and \\*stars\\*");
  });

  test("a border of a part shows no part of a secret, wherever it lies", async () => {
    for (const limit of [7, 20, 45]) {
      let [text, offset] = ["", 0];
      for (;;) {
        const { text: part, all } = await fetchAt("/secret-text", { limit, offset });
        text += part.slice(part.indexOf("\n\n") + 2);
        const next = /"offset":(\d+)/.exec(all)?.[1];
        if (next === undefined) break;
        offset = Number(next);
      }
      expect(text).toMatch(/^(?:\[secret:[0-9a-f]{6}\]\n?){8}$/);
    }
  });
});

describe("a long text", () => {
  test("a long text comes in parts that say how to go on, and is fetched once", async () => {
    gets.clear();
    const first = await fetchAt("/long", { limit: 1000 });
    expect(first.all).toMatch(/Characters 0 to \d+ of 320000 are shown\. To go on: web_fetch \{"url":.*"offset":\d+\}/);
    const offset = Number(/"offset":(\d+)/.exec(first.all)?.[1]);
    const second = await fetchAt("/long", { limit: 1000, offset });
    expect(second.text).toContain("0123456789abcde\n0123");
    expect(gets.get("/long")).toBe(1);
  });

  test("the whole of a long text is kept, and can be read and searched", async () => {
    const { result } = await fetchAt("/long", { limit: 1000 });
    const link = result.content?.find(({ type }) => type === "resource_link");
    const read = await host.ask("resources/read", { uri: `${link?.uri}?offset=0` });
    expect(read.contents?.[0]?.text).toContain("0123456789abcde");
  });

  test("a text that the caller has is left out, and one that the server has not changed is not sent again", async () => {
    gets.clear();
    const first = await fetchAt("/page");
    const sha = /sha256 ([0-9a-f]{64})/.exec(first.all)?.[1];
    const again = await fetchAt("/page", { unless_hash: sha });
    expect(again.text).toMatch(/unchanged\.$/);
    expect(gets.get("/page")).toBe(2);
  });
});

describe("what a server says of a page", () => {
  test("HEAD is answered with the status, the type, the size and the ETag, and can be saved nowhere", async () => {
    const { text, structured } = await fetchAt("/page", { method: "HEAD" });
    expect(text).toMatch(/\):\n\nstatus 200\ntype text\/html; charset=utf-8\nsize \d{4} bytes\netag "one"$/);
    expect(structured).not.toHaveProperty("sha256");
    const saved = await fetchAt("/page", { method: "HEAD", save_to: "page.html" });
    expect(saved.text).toBe(
      "invalid_input: Cannot save the answer to HEAD: it has no body. Leave save_to out, or ask with GET.",
    );
  });

  test("an answer has its ETag, and one of a server that has enough says when to ask again", async () => {
    expect((await fetchAt("/page")).all).toMatch(/sha256 [0-9a-f]{64}, etag "one"/);
    expect((await fetchAt("/too-often")).all).toContain(", retry_after 30");
  });

  test("a redirect that is not followed is named with where it leads", async () => {
    const circle = await fetchAt("/in-circles");
    expect(circle.all).toContain("It leads on to /in-circles, which was not followed, after 5 redirects were followed");
    expect((await fetchAt("/to-nothing")).all).toContain("It leads on to http://, which was not followed");
    expect((await fetchAt("/to-nothing", { save_to: "b" })).all).toContain("It leads on to http://");
    expect((await fetchAt("/to-words")).all).toContain("It leads on to //:do%20as%20I%20say, which");
  });

  test("what a server has packed is saved as it has it, and said to be packed", async () => {
    const { all } = await fetchAt("/stored", { save_to: "stored.gz" });
    expect(all).toContain("It is packed (gzip), as the server has it");
  });

  test("nothing is fetched for a path outside of the roots", async () => {
    gets.clear();
    expect((await fetchAt("/png", { save_to: "../b" })).failure?.code).toBe("outside_scope");
    expect(gets.size).toBe(0);
  });
});

test("a page behind a redirect that changes is the one that it leads to, also where both have the same ETag", async () => {
  gets.clear();
  const said = [];
  for (let times = 0; times < 3; times++) said.push((await fetchAt("/to-either")).text.split("\n").at(-1));
  expect(said).toEqual(["the first", "the second", "the first"]);
  // A caller's own condition is about the address that it names, too.
  const { text } = await fetchAt("/to-either", { headers: { "if-none-match": '"1"' } });
  expect(text).toEndWith("the second");
});

async function pixelsOf(picture: Buffer): Promise<Buffer> {
  return await new Bun.Image(picture).png({ compressionLevel: 0 }).buffer();
}
