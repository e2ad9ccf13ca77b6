/**
 * Pictures as a client gets them from the binary: written anew, decoded in a process that is no part of the host, and refused
 * there before they cost anything.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { hasLandlock } from "../../binary/has-landlock.ts";
import {
  chunkBomb,
  hugePng,
  lyingHeic,
  makeGif,
  makeJpeg,
  makePng,
  nestedIcon,
  type Notes,
} from "../../pictures/make-pictures.ts";
import { openMediaHost, type MediaHost } from "./media-host.ts";

const MB = 1024 * 1024;
const NOTES: Notes = {
  orientation: 6,
  taken: "2024:05:01 12:30:00",
  latitude: [52, 31, 12, "N"],
  longitude: [13, 24, 18, "E"],
};

const shownIn = ({ blocks }: Awaited<ReturnType<MediaHost["call"]>>): Buffer =>
  Buffer.from(blocks.find(({ type }) => type === "image")?.data ?? "", "base64");

describe("image_analyze", () => {
  test("image_analyze shows a picture upright with its facts, and its place only where that is asked", async () => {
    await using host = await openMediaHost({});
    host.write("photo.jpg", await makeJpeg(makePng(400, 300), NOTES));
    const answer = await host.call("image_analyze", { path: "photo.jpg", prompt: "What is it?" });
    expect(answer.data).toMatchObject({
      path: "photo.jpg",
      mime: "image/jpeg",
      width: 300,
      height: 400,
      frames: 1,
      orientation: 6,
      taken: "2024-05-01 12:30:00",
      shown: { width: 300, height: 400, scaled: false },
      prompt: "What is it?",
    });
    expect(answer.data).not.toHaveProperty("place");
    expect(answer.text).toBe("What is it?");
    const sent = shownIn(answer);
    expect(sent.includes("Exif")).toBe(false);
    expect(await new Bun.Image(sent).metadata()).toEqual({ width: 300, height: 400, format: "jpeg" });
    const asked = await host.call("image_analyze", { path: "photo.jpg", place: true });
    expect(asked.data["place"]).toEqual({ latitude: 52.52, longitude: 13.405 });
  });

  test("image_analyze takes a picture that is sent, a region of it and a longest side", async () => {
    await using host = await openMediaHost({});
    const data = makePng(500, 400).toString("base64");
    const region = { x: 100, y: 50, width: 300, height: 200 };
    const answer = await host.call("image_analyze", { data, mime_type: "image/png", region, max_side: 150 });
    expect(answer.data).toMatchObject({
      width: 500,
      height: 400,
      shown: { width: 150, height: 100, scaled: true, region },
    });
    expect(await new Bun.Image(shownIn(answer)).metadata()).toMatchObject({ width: 150, height: 100 });
  });

  test("image_analyze sends a picture to the process in parts, where it is too large for a line", async () => {
    await using host = await openMediaHost({});
    host.write("noise.png", makePng(1600, 1200, noise));
    const answer = await host.call("image_analyze", { path: "noise.png", max_side: 100 });
    expect(Number(answer.data["size"])).toBeGreaterThan(3 * MB);
    expect(answer.data).toMatchObject({ width: 1600, height: 1200, shown: { width: 100, height: 75 } });
  });

  test.each([
    ["a text", { data: Buffer.from("plain words").toString("base64") }, "it is text/plain, and no picture"],
    ["SVG", { data: Buffer.from("<svg xmlns='a'></svg>").toString("base64") }, "it is image/svg+xml, and no picture"],
    [
      "a PNG that is called a JPEG",
      { data: makePng(2, 2).toString("base64"), mime_type: "image/jpeg" },
      "by its first bytes it is image/png",
    ],
    ["what is not base64", { data: "not base64!" }, "data is not base64"],
    ["nothing", {}, "give either path or data"],
    ["both", { path: "a.png", data: "AAAA" }, "give either path or data"],
  ])("image_analyze refuses %s as invalid_input", async (_name, given, said) => {
    await using host = await openMediaHost({});
    const { failure, text } = await host.call("image_analyze", given);
    expect([failure?.code, text]).toEqual(["invalid_input", expect.stringContaining(said)]);
  });

  test("image_analyze stays in the roots, and under the rules on paths", async () => {
    await using host = await openMediaHost({}, { rules: [{ deny: "image_analyze(private/**)" }] });
    host.write("private.png", makePng(2, 2));
    expect((await host.call("image_analyze", { path: "../out.png" })).failure?.code).toBe("outside_scope");
    expect((await host.call("image_analyze", { path: "private/a.png" })).failure?.code).toBe("denied");
    expect((await host.call("image_analyze", { path: "private.png" })).failure).toBeUndefined();
  });
});

/** Does not compress. */
const noise = (x: number, y: number): readonly [number, number, number] => {
  const mixed = Math.imul((x * 73_856_093) ^ (y * 19_349_663), 0x9e3779b1);
  return [mixed & 255, (mixed >>> 8) & 255, (mixed >>> 16) & 255];
};

describe("the process for pictures", () => {
  const bombs: [string, () => Buffer, string | undefined][] = [
    ["a PNG of 60,000 x 60,000", () => hugePng(60_000, 60_000), "too_large"],
    ["a GIF with a million frames", () => makeGif(1_000_000), "too_large"],
    ["icons in an icon", () => nestedIcon(1000), "unsupported"],
    ["a HEIC that lies", lyingHeic, "unsupported"],
    // These are left out, and the picture around them is shown.
    ["a text of 300 MB", () => chunkBomb("zTXt", 300 * MB), undefined],
    ["a profile of 300 MB", () => chunkBomb("iCCP", 300 * MB), undefined],
  ];

  test.skipIf(!hasLandlock())("every bomb is refused or taken out within a second and 200 MB", async () => {
    await using host = await openMediaHost({});
    host.write("fine", makePng(9, 9));
    expect((await host.call("image_analyze", { path: "fine" })).failure).toBeUndefined();
    for (const [name, make, code] of bombs) {
      host.write("bomb", make());
      const before = processorMs(host.serve.child.pid);
      expect([name, (await host.call("image_analyze", { path: "bomb" })).failure?.code]).toEqual([name, code]);
      expect([name, processorMs(host.serve.child.pid) - before < 1000]).toEqual([name, true]);
    }
    const others = descendants(host.serve.child.pid);
    expect(others.length).toBeGreaterThan(1);
    expect(others.map(mostMemory).filter((bytes) => bytes >= 200 * MB)).toEqual([]);
  });

  test.skipIf(!hasLandlock())(
    "read_file has its pictures decoded there, without metadata, and describes a bomb",
    async () => {
      await using host = await openMediaHost({});
      host.write(
        "photo.jpg",
        Buffer.concat([await makeJpeg(makePng(40, 30), NOTES), Buffer.from("behind the picture")]),
      );
      const sent = shownIn(await host.call("read_file", { path: "photo.jpg" }));
      expect(sent.length).toBeGreaterThan(100);
      for (const part of ["Exif", "2024:05:01", "behind the picture"]) expect(sent.includes(part)).toBe(false);
      host.write("bomb.png", hugePng(60_000, 60_000));
      const { text } = await host.call("read_file", { path: "bomb.png" });
      expect(text).toContain("the image cannot be shown: it has more than 40 megapixels");
      expect((await host.call("system_info", {})).text).toMatch(
        /pictures runs in sandbox \(kernel \(Landlock ABI \d+\), no network, no files, no programs\)/,
      );
    },
  );
});

function parents(): ReadonlyMap<number, number> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const status = statusOf(Number(pid));
      const [, parent] = /^PPid:\s+(\d+)/m.exec(status) ?? [];
      return parent === undefined ? [] : [[Number(pid), Number(parent)]];
    }),
  );
}

function descendants(of: number): number[] {
  const all = parents();
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid);
    return parent !== undefined && (parent === of || isBelow(parent));
  };
  return [...all.keys()].filter(isBelow);
}

/** Processor time of the host and all processes below it, which a busy machine hardly changes. */
function processorMs(host: number): number {
  return [host, ...descendants(host)].map(ownMs).reduce((sum, ms) => sum + ms, 0);
}

/** In steps of 10 ms: `utime` and `stime` of proc(5). 0 for one that has ended. */
function ownMs(pid: number): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [utime = 0, stime = 0] = fields.split(" ").slice(11, 13).map(Number);
    return (utime + stime) * 10;
  } catch {
    return 0;
  }
}

/** The most that it ever had in memory. */
function mostMemory(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(statusOf(pid)) ?? [];
  return Number(kilobytes) * 1024;
}

/** "" for one that has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
