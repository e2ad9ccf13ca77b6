/** What programs say who write down speech, in each form that is read, and what of it is told on the way. */
import { describe, expect, test } from "bun:test";
import { readTranscript, secondsIn } from "../../../src/packs/media/read-transcript.ts";
import { fc } from "../../property.ts";

const SEGMENTS = [
  { start: 0.5, end: 2.25, text: "hello there" },
  { start: 3600, end: 3601.5, text: "and goodbye" },
];

const forms: [string, string][] = [
  [
    "lines with times in brackets",
    "[00:00:00.500 --> 00:00:02.250]   hello there\n[01:00:00.000 --> 01:00:01.500]  and goodbye\n",
  ],
  ["SRT", "1\n00:00:00,500 --> 00:00:02,250\nhello\nthere\n\n2\n01:00:00,000 --> 01:00:01,500\nand goodbye\n"],
  ["WebVTT", "WEBVTT\n\n00:00.500 --> 00:02.250\nhello there\n\n01:00:00.000 --> 01:00:01.500\nand goodbye\n"],
  [
    "JSON of whisper.cpp",
    JSON.stringify({
      transcription: [
        { offsets: { from: 500, to: 2250 }, text: " hello there" },
        { offsets: { from: 3_600_000, to: 3_601_500 }, text: " and goodbye" },
      ],
    }),
  ],
  ["JSON of a service", JSON.stringify({ text: "hello there and goodbye", segments: SEGMENTS })],
  [
    "words with times",
    "hello there\n<s> 0.000 0.490 1.0\nhello 0.500 1.000 0.99\nthere 1.010 2.250 0.98\n</s> 2.260 2.400 1.0\n" +
      "and goodbye\nand 3600.000 3600.500 0.9\n[NOISE] 3600.500 3600.600 0.9\ngoodbye 3600.700 3601.500 0.9\n",
  ],
];

describe("a transcript", () => {
  test.each(forms)("a transcript as %s has its text and its times", (_name, said) => {
    expect(readTranscript(said)).toEqual({ text: "hello there\nand goodbye", segments: SEGMENTS });
  });

  test("a transcript without times is the text, also where it is the only member of JSON", () => {
    expect(readTranscript("  just words \n")).toEqual({ text: "just words" });
    expect(readTranscript('{"text": " just words"}')).toEqual({ text: "just words" });
    expect(readTranscript('{"text": " just words", "segments": []}')).toEqual({ text: "just words" });
    expect(readTranscript("{broken")).toEqual({ text: "{broken" });
    expect(readTranscript("")).toEqual({ text: "" });
  });

  test("a transcript whose times are not understood keeps its text, and times in quotes are times", () => {
    const parts = [
      { start: "0.5", end: "2.25", text: "hello there" },
      { start: 3600, end: 3601.5, text: "and goodbye" },
    ];
    const text = "hello there\nand goodbye";
    expect(readTranscript(JSON.stringify({ segments: parts }))).toEqual({ text, segments: SEGMENTS });
    for (const odd of [{ start: "0:01" }, { end: null }, { start: "" }, { start: undefined }]) {
      const segments = [parts[0], { ...parts[1], ...odd }];
      expect(readTranscript(JSON.stringify({ segments }))).toEqual({ text });
      expect(readTranscript(JSON.stringify({ transcription: segments }))).toEqual({ text });
      expect(readTranscript(JSON.stringify({ text: "All of it.", segments }))).toEqual({ text: "All of it." });
    }
    const withOther = { text: "All of it.", segments: [...parts, "and more"] };
    expect(readTranscript(JSON.stringify(withOther))).toEqual({ text: "All of it." });
  });

  test("a spoken line of digits in subtitles is speech, and the number of a subtitle is none", () => {
    const said =
      "1\n00:00:00,000 --> 00:00:01,000\nThe answer is\n42\n\n2\n00:00:01,000 --> 00:00:02,000\n1984\n\n3\n00:00:02,000 --> 00:00:03,000\n7\n";
    expect(readTranscript(said).segments?.map(({ text }) => text)).toEqual(["The answer is 42", "1984", "7"]);
  });

  test("a transcript is read from whatever a program says, and its times are numbers", () => {
    const piece = fc.constantFrom(
      "[00:00:01.000 --> ",
      "00:00:02.000]",
      "\n",
      "go 0.1 0.2 0.9",
      "{",
      '"segments":[',
      "]}",
      "x",
      "1",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const { start, end } of readTranscript(pieces.join("")).segments ?? [])
          expect([Number.isFinite(start), Number.isFinite(end)]).toEqual([true, true]);
      }),
    );
  });
});

describe("secondsIn()", () => {
  test.each([
    ["[00:00:00.500 --> 00:01:02.250]   hello", 62.25],
    ["01:00:00,000 --> 01:00:01,500", 3601.5],
    ["goodbye 3600.700 3601.500 0.9", 3601.5],
    ["no time at all", undefined],
    ["", undefined],
  ])("secondsIn(%j) tells how far the speech is written down", (line, seconds) => {
    expect(secondsIn(line)).toBe(seconds);
  });
});
