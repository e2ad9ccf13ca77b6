/** What `media_send` gives to the person: inline or linked, by what the bytes are, and never an image that is none. */
import { describe, expect, test } from "bun:test";
import { makePng } from "../../pictures/make-pictures.ts";
import { openMediaHost, type MediaHost } from "./media-host.ts";

const KB = 1024;
const FOR_USER = { audience: ["user"] };
const OGG = Buffer.from("OggS\0\x02 and some sound", "latin1");

describe("media_send", () => {
  test("media_send puts an image and a sound into the answer as they are, for the user", async () => {
    await using host = await openMediaHost({});
    const png = makePng(20, 20);
    host.write("chart.txt", png);
    const answer = await host.call("media_send", { path: "chart.txt", caption: "The chart" });
    expect(answer.blocks.at(-1)).toEqual({
      type: "image",
      data: png.toString("base64"),
      mimeType: "image/png",
      annotations: FOR_USER,
    });
    expect(answer.text).toContain("goes to the user in this answer: The chart");
    const sound = await host.call("media_send", {
      data: OGG.toString("base64"),
      mime_type: "audio/ogg",
      filename: "a.ogg",
    });
    expect(sound.blocks.at(-1)).toEqual({
      type: "audio",
      data: OGG.toString("base64"),
      mimeType: "audio/ogg",
      annotations: FOR_USER,
    });
    expect(sound.data).toMatchObject({ name: "a.ogg", kind: "audio", linked: false });
  });

  test("media_send gives no type on that is no name of one, or that a browser would carry out", async () => {
    await using host = await openMediaHost({});
    const data = Buffer.from("a,b\n").toString("base64");
    for (const mime_type of [
      "text/x\r\nContent-Type: text/html",
      "text/html,x",
      "text/xml",
      "image-set+xml",
      "application/xslt+xml",
      "text/javascript",
    ]) {
      const { blocks, failure } = await host.call("media_send", { data, mime_type });
      const said = failure ? "refused" : (blocks.at(-1) as { readonly mimeType?: string }).mimeType;
      expect([mime_type, ["refused", "text/plain"].includes(String(said))]).toEqual([mime_type, true]);
    }
  });

  test("media_send links what is over 768 KB, and the link gives its very bytes", async () => {
    await using host = await openMediaHost({});
    const sound = Buffer.concat([OGG, Buffer.alloc(900 * KB, 7)]);
    host.write("long.ogg", sound);
    const { blocks } = await host.call("media_send", { path: "long.ogg" });
    const link = blocks.at(-1);
    expect(link).toMatchObject({
      type: "resource_link",
      name: "long.ogg",
      mimeType: "audio/ogg",
      size: sound.length,
      annotations: FOR_USER,
    });
    const { result } = await host.serve.ask("read", "resources/read", { uri: link?.uri });
    const [contents] = (result as unknown as { contents: { blob: string; mimeType: string }[] }).contents;
    expect(contents?.mimeType).toBe("audio/ogg");
    expect(Buffer.from(contents?.blob ?? "", "base64").equals(sound)).toBe(true);
    const listed = await host.serve.ask("list", "resources/list");
    expect(listed.result?.resources).toContainEqual(
      expect.objectContaining({ uri: link?.uri, name: "long.ogg", mimeType: "audio/ogg" }),
    );
  });

  test("768 KB are inline, and a byte more is linked", async () => {
    await using host = await openMediaHost({});
    host.write("a.ogg", Buffer.concat([OGG, Buffer.alloc(768 * KB - OGG.length)]));
    host.write("b.ogg", Buffer.concat([OGG, Buffer.alloc(768 * KB - OGG.length + 1)]));
    expect((await host.call("media_send", { path: "a.ogg" })).data["linked"]).toBe(false);
    expect((await host.call("media_send", { path: "b.ogg" })).data["linked"]).toBe(true);
  });

  const texts: [string, string, string][] = [
    ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "image/svg+xml"],
    ["HTML", "<!doctype html><script>alert(1)</script>", "text/html"],
  ];
  test.each(texts)("%s is linked as a file, and never sent as an image", async (_name, text, mime) => {
    await using host = await openMediaHost({});
    host.write("page", text);
    const { blocks, data } = await host.call("media_send", { path: "page" });
    expect(data).toMatchObject({ kind: "file", mime, linked: true });
    expect(blocks.map(({ type }) => type)).toEqual(["text", "resource_link"]);
    const claimed = { data: Buffer.from(text).toString("base64"), mime_type: "image/png" };
    expect((await host.call("media_send", claimed)).failure?.code).toBe("invalid_input");
  });

  test("an image that cannot be decoded is linked as a file: one that is shown would break the conversation", async () => {
    await using host = await openMediaHost({});
    host.write("broken.png", makePng(20, 20).subarray(0, 45));
    expect((await host.call("media_send", { path: "broken.png" })).data).toMatchObject({ kind: "file", linked: true });
  });

  test.each([
    ["audio/wav", OGG],
    ["image/jpeg", makePng(2, 2)],
    ["audio/ogg", makePng(2, 2)],
    ["image/png", Buffer.from("no picture at all")],
    ["text/html", makePng(2, 2)],
  ])("bytes that are called %s and are not are refused", async (mime_type, bytes) => {
    await using host = await openMediaHost({});
    const answer = await host.call("media_send", { data: bytes.toString("base64"), mime_type });
    expect(answer.failure?.code).toBe("invalid_input");
    expect(answer.text).toContain(`for ${mime_type}: by its first bytes it is`);
  });

  test.each([["audio/opus"], ["application/ogg"], ["audio/ogg; codecs=opus"], ["AUDIO/OGG"]])(
    "sound in Ogg may be called %s",
    async (mime_type) => {
      await using host = await openMediaHost({});
      const { failure } = await host.call("media_send", { data: OGG.toString("base64"), mime_type });
      expect(failure).toBeUndefined();
    },
  );

  const ZIP = Buffer.from("PK\x03\x04\x14\0\x06\0\x08\0", "latin1");
  const OLE = Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "latin1");
  const EBML = Buffer.from("\x1aE\xdf\xa3\x9fB\x86\x81\x01", "latin1");
  const GZIP = Buffer.from(Bun.gzipSync("some text"));
  test.each([
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", ZIP],
    ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ZIP],
    ["application/vnd.ms-excel.sheet.macroEnabled.12", ZIP],
    ["application/vnd.oasis.opendocument.text", ZIP],
    ["application/epub+zip", ZIP],
    ["application/java-archive", ZIP],
    ["application/x-gzip", GZIP],
    ["application/msword", OLE],
    ["application/vnd.ms-excel", OLE],
    ["audio/webm", EBML],
    ["video/webm", EBML],
    ["text/csv", Buffer.from("a,b\n1,2\n")],
    ["text/markdown; charset=utf-8", Buffer.from("# Title\n")],
    ["application/json", Buffer.from('{"a": 1}')],
    ["application/x-ndjson", Buffer.from('{"a": 1}\n')],
  ])("what its container can hold is sent as the type that it is called: %s", async (mime_type, bytes) => {
    await using host = await openMediaHost({});
    const { failure, blocks, data } = await host.call("media_send", { data: bytes.toString("base64"), mime_type });
    expect(failure).toBeUndefined();
    const mime = mime_type.split(";")[0]?.toLowerCase();
    expect(data).toMatchObject({ mime, kind: mime === "audio/webm" ? "audio" : "file" });
    expect(blocks.at(-1)).toMatchObject({ mimeType: mime });
  });

  test.each([
    ["application/msword", ZIP],
    ["application/epub+zip", OLE],
    ["application/pdf", ZIP],
    ["application/vnd.ms-excel.sheet.macroEnabled.12", OLE],
    ["audio/webm", OGG],
    ["application/x-gzip", ZIP],
    ["text/csv", ZIP],
    ["application/json", makePng(2, 2)],
  ])("what its container cannot hold is refused: %s", async (mime_type, bytes) => {
    await using host = await openMediaHost({});
    const { failure } = await host.call("media_send", { data: bytes.toString("base64"), mime_type });
    expect(failure?.code).toBe("invalid_input");
  });

  test("a claim makes no page of a text, and no text of a page; some bytes may be called so", async () => {
    await using host = await openMediaHost({});
    const mimeOf = async (bytes: Buffer | string, mime_type: string): Promise<unknown> =>
      (await host.call("media_send", { data: Buffer.from(bytes).toString("base64"), mime_type })).data["mime"];
    expect(await mimeOf("plain <script>alert(1)</script>", "text/html")).toBe("text/plain");
    expect(await mimeOf("<!doctype html><p>", "text/plain")).toBe("text/html");
    expect(await mimeOf(ZIP, "application/octet-stream")).toBe("application/zip");
  });

  test.each(["\n", "\r\n"])("base64 in lines as mail has it is taken: %j", async (end) => {
    await using host = await openMediaHost({});
    const sound = Buffer.concat([OGG, Buffer.alloc(500, 7)]);
    const lines = (bytes: Buffer): string => `${bytes.toString("base64").replaceAll(/.{76}/g, `$&${end}`)}${end}`;
    const sent = await host.call("media_send", { data: lines(sound), mime_type: "audio/ogg" });
    expect(sent.blocks.at(-1)).toMatchObject({ type: "audio", data: sound.toString("base64") });
    const looked = await host.call("image_analyze", { data: lines(makePng(40, 40)), mime_type: "image/png" });
    expect(looked.data).toMatchObject({ width: 40, height: 40 });
    for (const data of [`${end} ${end}`, `ab$d${end}`])
      expect((await host.call("media_send", { data })).failure?.code).toBe("invalid_input");
  });

  const TOKEN = `ghp_${"a1B2".repeat(9)}`;
  test.each([
    ["behind the head of a sound", Buffer.from(`RIFF\x24\0\0\0WAVE\n${TOKEN}`)],
    ["in a sound as UTF-16", Buffer.concat([OGG, Buffer.from(`\n${TOKEN}`, "utf16le")])],
    ["behind a picture", Buffer.concat([makePng(20, 20), Buffer.from(TOKEN)])],
  ])("bytes with a secret %s are not sent, as read_file does not give them", async (_where, bytes) => {
    await using host = await openMediaHost({});
    host.write("a", bytes);
    for (const [name, given] of [
      ["media_send", { path: "a" }],
      ["media_send", { data: bytes.toString("base64") }],
      ["read_file", { path: "a", encoding: "base64" }],
    ] as const) {
      const { failure, blocks } = await host.call(name, given);
      expect([failure?.code, blocks.map(({ type }) => type)]).toEqual(["denied", ["text"]]);
    }
  });

  test("a link to bytes with a secret gives no half of it, wherever its pages are cut", async () => {
    await using host = await openMediaHost({});
    const filler = Buffer.alloc(3 * KB * KB, 7);
    const linkTo = async (content: Buffer): Promise<string> => {
      host.write("a.ogg", content);
      return (await host.call("media_send", { path: "a.ogg" })).blocks.at(-1)?.uri ?? "none";
    };
    const cut = (await pageOf(host, await linkTo(Buffer.concat([OGG, filler])))).length;
    expect(cut).toBeLessThan(filler.length);
    const before = filler.subarray(0, cut - OGG.length - TOKEN.length / 2);
    const uri = await linkTo(Buffer.concat([OGG, before, Buffer.from(TOKEN), filler]));
    await expect(pageOf(host, uri)).rejects.toThrow("its bytes hold a secret");
    await expect(pageOf(host, `${uri}?offset=${cut}`)).rejects.toThrow("its bytes hold a secret");
  });

  test("a file that is closed to the tools is not sent, and no file outside", async () => {
    await using host = await openMediaHost({}, { deny: ["closed/**"] });
    host.write(".env", "TOKEN=abc\n");
    expect((await host.call("media_send", { path: ".env" })).failure?.code).toBe("denied");
    expect((await host.call("media_send", { path: "../x.png" })).failure?.code).toBe("outside_scope");
  });
});

/** The first page of a linked file. */
async function pageOf({ serve }: MediaHost, uri: string | undefined): Promise<Buffer> {
  const { result, error } = await serve.ask(`read ${uri}`, "resources/read", { uri });
  if (error) throw new Error(error.message);
  const [contents] = (result as unknown as { contents: { blob: string }[] }).contents;
  return Buffer.from(contents?.blob ?? "", "base64");
}
