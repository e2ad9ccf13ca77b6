/**
 * What others may try against the server of the page: names that are not ours, pages of other places, requests without the
 * capability or with a guess at it, frames, and what proposals themselves hold. Whatever they try, nothing is decided and no
 * byte of a proposal leaves.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { TestBrowser } from "./open-browser.ts";
import { WebReview } from "./web-review.ts";

const SECRET = "only-a-reviewer-may-read-this";
const chromium = component("chromium-headless-shell");

let place: Place;
let host: ServeProcess;
let review: WebReview;
let id = "";
let label = "";

beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "before\n");
  host = await ServeProcess.start(place);
  host.call(1, "edit_file", { path: "a.txt", edits: [{ old_text: "before", new_text: SECRET }] });
  id = proposalOf(await host.answer(1)).id;
  review = await WebReview.start(place);
  const { outline } = (await (await review.ask("show", { id, layout: "unified" })).json()) as {
    outline: { label: string };
  };
  label = outline.label;
});

afterAll(async () => {
  await review[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

/** Nothing was decided: the file is as it was, and the proposal waits. */
async function expectUndecided(): Promise<void> {
  expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("before\n");
  const { proposals } = (await host.ask(`list-${crypto.randomUUID()}`, "ringfence/proposals/list"))
    .result as unknown as {
    proposals: { id: string }[];
  };
  expect(proposals.map((one) => one.id)).toContain(id);
}

const choices = (): object => ({ label, out: {}, comments: [], seen: { "a.txt": [1] } });
const applying = (): string => JSON.stringify({ label, choices: choices(), unseen: true });

/** Headers by name; those of a good request unless something else is said, `undefined`: without it. */
interface Attack {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

async function attack({ method = "POST", target, body = applying(), headers = {} }: Attack): Promise<string> {
  const all: Readonly<Record<string, string | undefined>> = {
    host: `127.0.0.1:${review.port}`,
    "content-type": "application/json",
    "ringfence-capability": review.capability,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return await review.raw(`${method} ${target ?? "/api/apply"} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

const port = (): number => review.port;

describe("the server of the page", () => {
  const attacks: [what: string, status: number, attack: () => Attack][] = [
    ["a name of somebody else", 421, () => ({ headers: { host: "evil.example" } })],
    ["a rebound name with the port", 421, () => ({ headers: { host: `evil.example:${port()}` } })],
    ["a name that begins like ours", 421, () => ({ headers: { host: `127.0.0.1.evil.example:${port()}` } })],
    ["our name without the port", 421, () => ({ headers: { host: "127.0.0.1" } })],
    ["our name with another port", 421, () => ({ headers: { host: `127.0.0.1:${port() + 1}` } })],
    ["another address of this machine", 421, () => ({ headers: { host: `0.0.0.0:${port()}` } })],
    ["no name at all", 400, () => ({ headers: { host: undefined } })],
    ["an origin elsewhere", 403, () => ({ headers: { origin: "https://evil.example" } })],
    ["the page of another port", 403, () => ({ headers: { origin: `http://127.0.0.1:${port() + 1}` } })],
    ["our other name as the origin", 403, () => ({ headers: { origin: `http://localhost:${port()}` } })],
    ["a request across sites", 403, () => ({ headers: { "sec-fetch-site": "cross-site" } })],
    ["a request of the same site and another origin", 403, () => ({ headers: { "sec-fetch-site": "same-site" } })],
    ["a form", 415, () => ({ headers: { "content-type": "application/x-www-form-urlencoded" } })],
    ["a form with files", 415, () => ({ headers: { "content-type": "multipart/form-data; boundary=x" } })],
    ["plain text", 415, () => ({ headers: { "content-type": "text/plain" } })],
    ["a body without a type", 415, () => ({ headers: { "content-type": undefined } })],
    ["no capability", 401, () => ({ headers: { "ringfence-capability": undefined } })],
    ["an empty capability", 401, () => ({ headers: { "ringfence-capability": "" } })],
    [
      "the beginning of the capability",
      401,
      () => ({ headers: { "ringfence-capability": review.capability.slice(0, -1) } }),
    ],
    [
      "the capability in the query",
      401,
      () => without({ target: `/api/apply?ringfence-capability=${review.capability}&k=${review.capability}` }),
    ],
    ["the capability as a cookie", 401, () => without({}, { cookie: `ringfence-capability=${review.capability}` })],
    ["the capability as a bearer", 401, () => without({}, { authorization: `Bearer ${review.capability}` })],
    ["a guess at the one-time code", 401, () => without({ target: "/api/launch", body: '{"code":"guess"}' })],
    ["a code that is no text", 401, () => without({ target: "/api/launch", body: '{"code":{"length":43}}' })],
    ["GET instead of POST", 405, () => ({ method: "GET", target: "/api/show", body: "" })],
    [
      "a preflight",
      405,
      () => ({
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      }),
    ],
    [
      "the page in a frame",
      403,
      () => ({ method: "GET", target: "/", body: "", headers: { "sec-fetch-dest": "iframe" } }),
    ],
    [
      "the script in another page",
      403,
      () => ({ method: "GET", target: "/page.js", body: "", headers: { "sec-fetch-site": "cross-site" } }),
    ],
    ["a path out of the page", 404, () => ({ method: "GET", target: "/../../../etc/passwd", body: "" })],
    ["an escaped path out of the page", 404, () => ({ method: "GET", target: "/%2e%2e/%2e%2e/etc/passwd", body: "" })],
    ["an ask that there is not", 404, () => ({ target: "/api/execute" })],
    ["a member of every object as an ask", 404, () => ({ target: "/api/constructor" })],
    ["a body that is no JSON", 400, () => ({ body: "{" })],
    [
      "a member that nobody knows",
      400,
      () => ({ body: JSON.stringify({ ...JSON.parse(applying()), mode: "bypass" }) }),
    ],
    [
      "choices that are no choices",
      400,
      () => ({ body: JSON.stringify({ label, choices: { __proto__: 1 }, unseen: true }) }),
    ],
  ];

  test.each(attacks)("the server of the page refuses %s", async (_what, status, given) => {
    const answer = await attack(given());
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toContain(SECRET);
    expect(answer.toLowerCase()).not.toContain("access-control-");
    expect(answer.toLowerCase()).not.toContain("set-cookie");
    await expectUndecided();
  });

  test("the server of the page decides nothing about another digest, nor about what it has not shown", async () => {
    for (const other of [`${label.slice(0, -1)}${label.endsWith("0") ? "1" : "0"}`, id, `${id}@`]) {
      const answer = await attack({
        body: JSON.stringify({ label: other, choices: { ...choices(), label: other }, unseen: true }),
      });
      expect(statusOf(answer)).toBe(409);
    }
    const mixed = await attack({
      body: JSON.stringify({ label, choices: { ...choices(), label: `${id}@x` }, unseen: true }),
    });
    expect(statusOf(mixed)).toBe(409);
    await expectUndecided();
  });

  test("the server of the page asks once more about what was never on the screen", async () => {
    const answer = await attack({
      body: JSON.stringify({ label, choices: { ...choices(), seen: {} }, unseen: false }),
    });
    expect(statusOf(answer)).toBe(409);
    expect(answer).toContain("never on the screen");
    await expectUndecided();
  });

  test("every answer has the strict headers, refusals too", async () => {
    for (const given of [
      { method: "GET", target: "/", body: "" },
      { headers: { host: "evil.example" } },
      { target: "/api/show", body: "{}" },
    ]) {
      const answer = (await attack(given)).toLowerCase();
      expect(answer).toContain(
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
      );
      for (const header of [
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
      ])
        expect(answer).toContain(`${header}\r\n`);
    }
  });

  test("the server of the page is found on loopback and on no other address", () => {
    const hex = review.port.toString(16).toUpperCase().padStart(4, "0");
    const listening = ["tcp", "tcp6"].flatMap((name) =>
      readFileSync(`/proc/net/${name}`, "utf8")
        .split("\n")
        .filter((line) => line.includes(`:${hex} `) && / 0A /.test(line)),
    );
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
  });

  test("no argument of any process has the capability", () => {
    const found = readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(review.capability);
      } catch {
        return false;
      }
    });
    expect(found).toEqual([]);
  });

  test.skipIf(chromium.isMissing)(`a page of another place can neither read nor decide${chromium.note}`, async () => {
    await using browser = await TestBrowser.open(["--host-resolver-rules=MAP evil.example 127.0.0.1"]);
    using elsewhere = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response("<!doctype html><title>elsewhere</title>", { headers: { "content-type": "text/html" } }),
    });
    for (const from of [`http://127.0.0.1:${elsewhere.port}/`, `http://evil.example:${elsewhere.port}/`]) {
      const page = await browser.page(from);
      const got = await page.evaluate(tryFromElsewhere, {
        server: `http://127.0.0.1:${review.port}`,
        capability: review.capability,
        body: applying(),
      });
      expect(got.filter((line) => line.includes("read"))).toEqual([]);
    }
    const rebound = await browser.page(`http://evil.example:${review.port}/`);
    expect(await rebound.content()).toContain("this server has another name");
    await expectUndecided();
  });
});

function without(given: Attack, headers: Attack["headers"] = {}): Attack {
  return { ...given, headers: { "ringfence-capability": undefined, ...headers } };
}

/** Runs in the browser. @returns what came of each try */
async function tryFromElsewhere({
  server,
  capability,
  body,
}: {
  server: string;
  capability: string;
  body: string;
}): Promise<string[]> {
  const said: string[] = [];
  const headers = { "content-type": "application/json", "ringfence-capability": capability };
  for (const given of [
    { method: "POST", body, headers },
    { method: "POST", body, mode: "no-cors", headers: { "content-type": "text/plain" } },
    { method: "GET" },
  ] as const) {
    try {
      const response = await fetch(`${server}/api/apply`, given);
      said.push(response.type === "opaque" ? "opaque" : `read ${await response.text()}`);
    } catch {
      said.push("refused");
    }
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  const { document } = globalThis as any;
  const frame = document.createElement("iframe");
  frame.src = `${server}/`;
  const form = document.createElement("form");
  form.action = `${server}/api/apply`;
  form.method = "post";
  form.enctype = "text/plain";
  form.target = "sink";
  const sink = document.createElement("iframe");
  sink.name = "sink";
  const loaded = Promise.all(
    [frame, sink].map(async (element) => await new Promise((resolve) => element.addEventListener("load", resolve))),
  );
  document.body.append(frame, sink, form);
  form.submit();
  await loaded;
  try {
    said.push(`read ${frame.contentWindow.document.body.textContent}`);
  } catch {
    said.push("refused");
  }
  return said;
}
