/**
 * Flynn's page walked tool by tool: each is there where what it needs is configured, and where that is not, a call of it is
 * answered with what would bring it.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type WireMessage } from "../../binary/serve-process.ts";
import { makePng } from "../../pictures/make-pictures.ts";
import { FLYNN_MEDIA, FLYNN_NUMBERS, FLYNN_PAGE } from "./sources.ts";

const CONFIGURED = {
  shell: { enabled: true },
  packs: {
    media: { transcribe: { program: "/bin/cat", args: ["{file}"] } },
    browser: { program: "/bin/true", network: { reach: ["127.0.0.1:9"] } },
    objects: { stores: { art: { endpoint: "http://127.0.0.1:9", region: "us-east-1", buckets: ["builds"] } } },
    k8s: { contexts: { stage: { server: "http://127.0.0.1:9" } } },
    web: { network: { reach: ["127.0.0.1:9"] }, search: { backend: "searxng", url: "http://127.0.0.1:9" } },
  },
};

async function open(place: Place, configuration: object): Promise<ServeProcess> {
  const file = join(place.path, "ringfence.json");
  writeFileSync(file, JSON.stringify(configuration));
  return await ServeProcess.start(place, { args: ["--dialect=flynn", "--config", file] });
}

async function listed(host: ServeProcess): Promise<NonNullable<NonNullable<WireMessage["result"]>["tools"]>> {
  return (await host.ask("list", "tools/list")).result?.tools ?? [];
}

describe.skipIf(process.platform !== "linux")("the page of Flynn", () => {
  test("every tool of the page is there where it is configured", async () => {
    using place = new Place();
    await using host = await open(place, CONFIGURED);
    const names = (await listed(host)).map(({ name }) => name);
    expect(FLYNN_PAGE.filter((name) => !names.includes(name))).toEqual([]);
  });

  test("a tool of the page that is not configured is said to be off, with what would bring it", async () => {
    using place = new Place();
    await using host = await open(place, {});
    const names = (await listed(host)).map(({ name }) => name);
    const off = FLYNN_PAGE.filter((name) => !names.includes(name));
    expect(off).toEqual([
      "shell.exec",
      "process.start",
      "process.status",
      "process.kill",
      "web.fetch",
      "web.search",
      "browser.navigate",
      "browser.screenshot",
      "minio.share",
      "minio.ingest",
      "minio.sync",
      "k8s.pods",
      "k8s.deployments",
      "k8s.logs",
      "media.send",
      "image.analyze",
      "audio.transcribe",
    ]);
    for (const name of off) {
      host.call(name, name, {});
      const { error } = await host.answer(name);
      expect([name, error?.message]).toEqual([
        name,
        expect.stringContaining("exists but is turned off on this host. It is there with"),
      ]);
    }
  });

  test("the tools for media have the parameters of the page, and a path besides", async () => {
    using place = new Place();
    await using host = await open(place, CONFIGURED);
    const tools = new Map((await listed(host)).map(({ name, inputSchema }) => [name, inputSchema]));
    for (const [name, properties] of Object.entries(FLYNN_MEDIA)) {
      expect([name, tools.get(name)?.properties]).toEqual([name, expect.objectContaining({ path: expect.anything() })]);
      for (const [parameter, shape] of Object.entries(properties))
        expect([name, parameter, tools.get(name)?.properties?.[parameter]]).toEqual([
          name,
          parameter,
          expect.objectContaining(shape),
        ]);
    }
  });

  test("what is a number on the page is listed as one in every tool", async () => {
    using place = new Place();
    await using host = await open(place, CONFIGURED);
    const tools = new Map((await listed(host)).map(({ name, inputSchema }) => [name, inputSchema]));
    const found = Object.entries(FLYNN_NUMBERS).flatMap(([name, parameters]) =>
      parameters.map((one) => [name, one, tools.get(name)?.properties?.[one]]),
    );
    for (const [name, one, shape] of found)
      expect([name, one, shape]).toEqual([name, one, expect.objectContaining({ type: "number" })]);
  });

  test("image.analyze, media.send and audio.transcribe of Flynn take data with its mimeType", async () => {
    using place = new Place();
    await using host = await open(place, CONFIGURED);
    const data = makePng(8, 6).toString("base64");
    host.call(1, "image.analyze", { data, mimeType: "image/png", prompt: "What is it?" });
    const shown = (await host.answer(1)).result;
    expect(shown?.content?.map(({ type }) => type)).toEqual(["text", "text", "image"]);
    expect(shown?.content?.[1]?.text).toBe("What is it?");
    host.call(2, "media.send", { data, mimeType: "image/png", filename: "a.png" });
    expect((await host.answer(2)).result?.content?.at(-1)).toMatchObject({ type: "image", mimeType: "image/png" });
    host.call(3, "audio.transcribe", { data: Buffer.from("OggS words").toString("base64"), mimeType: "audio/ogg" });
    expect((await host.answer(3)).result?.content?.at(-1)?.text).toBe("OggS words");
    host.call(4, "image.analyze", { data, mimeType: "image/jpeg" });
    expect((await host.answer(4)).result?._meta?.["dev.ringfence/failure"]?.code).toBe("invalid_input");
    host.call(6, "image.analyze", { data, mimeType: "image/bmp" });
    expect((await host.answer(6)).result?._meta?.["dev.ringfence/failure"]?.code).toBe("invalid_input");
    host.call(5, "image.analyze", { prompt: "What is it?" });
    expect((await host.answer(5)).result?._meta?.["dev.ringfence/failure"]?.code).toBe("invalid_input");
  });
});
