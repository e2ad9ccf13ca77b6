/**
 * How the pack `web` leaves the machine: credentials that nobody sees, certificates of a company, and processes that are lost at
 * any moment.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "bun:test";
import { Place } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { createAuthority } from "../../reach/own-authority.ts";
import { until } from "../../waits/until.ts";
import { helpersOf, isRunning } from "./helper-processes.ts";
import { openWebHost, type WebHost } from "./web-host.ts";
import { killAll } from "../../kill.ts";

const openssl = component("openssl");

let heard: (string | null)[] = [];
let open: PromiseWithResolvers<void> | undefined;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    heard.push(request.headers.get("authorization"));
    if (pathname === "/wait") await open?.promise;
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    if (pathname === "/packed")
      return new Response(gzipSync(JSON.stringify(Object.fromEntries(request.headers))), { headers });
    const sent = `${request.headers.get("authorization")}`;
    if (pathname === "/echo") {
      const escaped = sent.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;");
      const page = `<p>You sent ${escaped} and ${escaped.slice(0, 16)}<wbr>${escaped.slice(16)}, is it so?</p>`;
      return new Response(page, { headers: { "content-type": "text/html" } });
    }
    if (pathname === "/utf-16") return new Response(Buffer.from(`\uFEFFYou sent ${sent}, is it so?`, "utf16le"));
    return new Response("<p>fine</p>", { headers: { "content-type": "text/html" } });
  },
});
const at = `http://127.0.0.1:${server.port}`;
const network = { reach: [`127.0.0.1:${server.port}`] };
afterAll(async () => await server.stop(true));

describe("a credential of the configuration", () => {
  const credentials = [{ hosts: network.reach, headers: { Authorization: "Bearer ${WIKI_TOKEN}" } }];

  test("a credential is added for its hosts, and stands in no answer, no configuration and no record", async () => {
    heard = [];
    const token = "a-token-of-twenty-seven-signs";
    await using host = await openWebHost({ web: { network, credentials }, env: { WIKI_TOKEN: token } });
    const { all, failure } = await host.call("web_fetch", { url: at });
    expect([failure, heard]).toEqual([undefined, [`Bearer ${token}`]]);
    const said =
      all +
      (await host.call("system_info", {})).all +
      host
        .recorded("connected")
        .map((one) => JSON.stringify(one))
        .join();
    expect(said).not.toContain(token);
  });

  test.each(["/echo", "/utf-16"])(
    "no page says a credential that it was sent, also where it is only seen in the text: %s",
    async (path) => {
      await using host = await openWebHost({
        web: { network, credentials },
        env: { WIKI_TOKEN: "a/token+of/twenty-seven/signs" },
      });
      const { all, failure } = await host.call("web_fetch", { url: `${at}${path}` });
      expect(failure).toBeUndefined();
      expect(all).toMatch(/You sent Bearer \S*secret:000000.* is it so/);
      expect(all).not.toMatch(/token|twenty|signs/);
    },
  );

  test("a caller that writes http in the place of https gets a refusal and no credential out", async () => {
    const reach = ["wiki.corp.example:443"];
    const web = {
      network: { reach },
      credentials: [{ hosts: reach, headers: { Authorization: "Bearer ${WIKI_TOKEN}" } }],
    };
    await using host = await openWebHost({ web, env: { WIKI_TOKEN: "a-token-of-twenty-seven-signs" } });
    const { all, failure } = await host.call("web_fetch", { url: "http://wiki.corp.example:443/" });
    expect([failure?.code as string, all]).toEqual(["denied", expect.stringMatching(/over http: .*https:\/\//s)]);
    expect(host.recorded("connected")).toEqual([expect.objectContaining({ problem: "exposed" })]);
  });

  test("a packed answer to a request with a credential is refused, as nobody could find the credential in it", async () => {
    const token = "a-token-of-twenty-seven-signs";
    await using host = await openWebHost({ web: { network, credentials }, env: { WIKI_TOKEN: token } });
    const { all, failure } = await host.call("web_fetch", { url: `${at}/packed` });
    expect([failure?.code as string, all]).toEqual([
      "command_failed",
      expect.stringMatching(/it is packed \(gzip\), although a plain one was asked for/),
    ]);
    expect(all).not.toContain(token);
    await using bare = await openWebHost({ web: { network } });
    expect((await bare.call("web_fetch", { url: `${at}/packed` })).all).toContain('"host"');
  });

  test("a credential whose variable is not set fails the calls that need it and names the variable", async () => {
    using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("needs nothing") });
    const reach = [...network.reach, `127.0.0.1:${other.port}`];
    await using host = await openWebHost({ web: { network: { reach }, credentials } });
    for (let time = 0; time < 2; time++) {
      const { failure, all } = await host.call("web_fetch", { url: at });
      expect([failure?.code as string, all]).toEqual([
        "denied",
        expect.stringContaining('Cannot use "packs.web": the variable WIKI_TOKEN is not set'),
      ]);
    }
    expect((await host.call("web_fetch", { url: `http://127.0.0.1:${other.port}/` })).text).toEndWith("needs nothing");
  });

  test("a credential whose file is not there is read again once it is", async () => {
    using place = new Place();
    const file = join(place.path, "token");
    const fromFile = [{ hosts: network.reach, headers: { Authorization: `\${file:${file}}` } }];
    await using host = await openWebHost({ place, web: { network, credentials: fromFile } });
    expect((await host.call("web_fetch", { url: at })).failure?.code as string).toBe("denied");
    writeFileSync(file, "Bearer of-the-file");
    heard = [];
    expect((await host.call("web_fetch", { url: at })).text).toEndWith("fine");
    expect(heard).toEqual(["Bearer of-the-file"]);
  });
});

describe.skipIf(openssl.isMissing)(`certificates of a company${openssl.note}`, () => {
  test(`certificates of a company are believed besides the usual ones, from where no tool can write${openssl.note}`, async () => {
    using authority = createAuthority();
    using secure = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: authority.issue("IP:127.0.0.1"),
      fetch: () => new Response("sealed"),
    });
    const url = `https://127.0.0.1:${secure.port}/`;
    const web = { network: { reach: [`127.0.0.1:${secure.port}`] } };
    await using host = await openWebHost({ web, config: { network: { ca: authority.caFile } } });
    expect((await host.call("web_fetch", { url })).text).toEndWith("sealed");
    await using other = await openWebHost({ web });
    expect((await other.call("web_fetch", { url })).all).toContain("its certificate is not believed");
  });

  test(`a file of certificates that a tool can write is refused${openssl.note}`, async () => {
    using authority = createAuthority();
    await using host = await openWebHost({
      web: { network },
      config: ({ root }) => ({ network: { ca: join(root, "ca.pem") } }),
    });
    writeFileSync(join(host.place.root, "ca.pem"), authority.ca);
    const { failure, all } = await host.call("web_fetch", { url: at });
    expect([failure?.code as string, all]).toEqual(["denied", expect.stringContaining("lies where tools can write")]);
  });
});

test.skipIf(process.platform !== "linux")(
  "a host fetches a page and reads it, each behind a fence of its own",
  async () => {
    await using host = await openWebHost({ web: { network } });
    expect((await host.call("web_fetch", { url: at })).text).toEndWith("fine");
    const { text } = await host.call("system_info", {});
    expect(text).toMatch(
      /pages runs in sandbox \((?:kernel \(.*\), no network, no files, no programs|none .*)\); reaches/,
    );
  },
);

describe("a process that is lost", () => {
  test("a broker or a parser that is killed fails the call, the next one works, and nothing is left behind", async () => {
    let left: readonly number[];
    {
      await using host = await openWebHost({ web: { network } });
      expect((await host.call("web_fetch", { url: at })).text).toEndWith("fine");
      killAll(helpersOf(host));
      // The host may hear of their end after it has asked them.
      await until("a call that works", async () => await isFetched(host));
      open = Promise.withResolvers();
      const before = heard.length;
      const waiting = host.call("web_fetch", { url: `${at}/wait` });
      await until("it is asked", () => heard.length > before);
      killAll(helpersOf(host));
      expect((await waiting).failure?.code).toBe("command_failed");
      open.resolve();
      await until("a call that works again", async () => await isFetched(host));
      left = helpersOf(host);
      expect(left.length).toBeGreaterThan(0);
    }
    await until("nothing of it runs", () => left.every((pid) => !isRunning(pid)));
  });

  test("a broker that is killed while a server has a POST says that the server may have had it", async () => {
    await using host = await openWebHost({ web: { network, methods: ["POST"] }, config: { mode: "bypass" } });
    open = Promise.withResolvers();
    const before = heard.length;
    const waiting = host.call("web_fetch", { url: `${at}/wait`, method: "POST", body: "{}" });
    await until("it is asked", () => heard.length > before);
    killAll(helpersOf(host));
    const { failure, text } = await waiting;
    expect(failure).toMatchObject({ code: "command_failed", retry: "changed" });
    expect(text).toContain("The server may have had the request");
    open.resolve();
  });

  test("a host with the pack starts no process for it before its first call", async () => {
    await using host = await openWebHost({ web: { network } });
    await host.ask("tools/list");
    await host.call("system_info", {});
    expect(helpersOf(host)).toEqual([]);
  });
});

/** Whether a call works. One that meets a process in its end fails as what it is. */
async function isFetched(host: WebHost): Promise<boolean> {
  const { failure, text } = await host.call("web_fetch", { url: at });
  if (failure) expect(failure.code).toBe("command_failed");
  return text.endsWith("fine");
}
