/**
 * Credentials that the broker adds: for their hosts and nowhere else, over what the caller says, and out of what comes back.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { brokerOf } from "./test-broker.ts";

let heard: { readonly headers: Headers; readonly body: string }[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    heard.push({ headers: request.headers, body: await request.text() });
    return new Response("here");
  },
});
const { port = 0 } = server;
afterAll(async () => await server.stop(true));

describe("a credential", () => {
  const credentials = {
    named: { hosts: [`127.0.0.1:${port}`], headers: { Authorization: "Bearer one" } },
    always: { hosts: [`127.0.0.1:${port}`], headers: { "x-always": "two" }, isAlways: true },
  };
  const given = {
    pack: { reach: [`127.0.0.1:${port}`, `localhost:${port}`], credentials },
    names: { localhost: ["127.0.0.1"] },
  };

  test("a credential is added for its hosts, over what the caller says, and sent nowhere else", async () => {
    heard = [];
    const broker = brokerOf(given);
    const own = { authorization: "mine" };
    await broker.get(`http://127.0.0.1:${port}/`, { credential: "named", headers: own });
    await broker.get(`http://127.0.0.1:${port}/`);
    await broker.get(`http://localhost:${port}/`);
    expect(heard.map(({ headers }) => [headers.get("authorization"), headers.get("x-always")])).toEqual([
      ["Bearer one", null],
      [null, "two"],
      [null, null],
    ]);
    heard = [];
    const refused = [{ credential: "named" }, { credential: "other" }].map(
      async (more) => await broker.get(`http://localhost:${port}/`, more),
    );
    expect((await Promise.all(refused)).map(({ problem }) => problem)).toEqual(["denied", "denied"]);
    expect(heard).toEqual([]);
  });

  test("what an answer repeats of a credential is replaced in its body and its headers, and nothing else in it", async () => {
    const [token, password] = ["a-token-of-the-tests-0123", "pässword-of-the-tests"];
    const basic = Buffer.from(`robot:${password}`).toString("base64");
    const wanted: (string | null)[] = [];
    const bytes = Buffer.from([0, 255, 128, 10]);
    using echo = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ headers }) {
        wanted.push(headers.get("accept-encoding"));
        const told = `you sent ${[...headers.values()].join(", ")} as robot:${password}, ${headers.get("x-api-key")?.slice(0, 4)} `;
        return new Response(Buffer.concat([Buffer.from(told), bytes]), {
          headers: { "x-sent": `${headers.get("authorization")}`, "x-other": "kept" },
        });
      },
    });
    const hosts = [`127.0.0.1:${echo.port}`];
    const broker = brokerOf({
      pack: {
        reach: hosts,
        credentials: {
          bearer: {
            hosts,
            headers: { Authorization: `Bearer ${token}`, "x-api-key": "kurz", "impersonate-user": "viewer-of-pods" },
          },
          basic: { hosts, headers: { authorization: `Basic ${basic}` } },
        },
      },
    });
    const url = `http://127.0.0.1:${echo.port}/`;
    const packed = { headers: { "accept-encoding": "gzip" } };
    const said = async (more: object): Promise<[string, Buffer, Readonly<Record<string, string>>]> => {
      const { body = "", headers = {} } = (await broker.get(url, { ...packed, ...more })) as {
        body?: string;
        headers?: Readonly<Record<string, string>>;
      };
      const all = Buffer.from(body, "base64");
      return [all.subarray(0, -bytes.length).toString("utf8"), all.subarray(-bytes.length), headers];
    };
    const [bearerText, bearerRest, bearerHeaders] = await said({ credential: "bearer" });
    expect(bearerText).not.toContain(token);
    expect(bearerText).toContain("Bearer [secret:000000]");
    expect(bearerText).toContain("viewer-of-pods");
    expect(bearerText).toContain(`robot:${password}, kurz`);
    expect(bearerRest).toEqual(bytes);
    expect(bearerHeaders).toMatchObject({ "x-sent": "Bearer [secret:000000]", "x-other": "kept" });
    const [basicText, basicRest] = await said({ credential: "basic" });
    expect(basicText).not.toContain(basic);
    expect(basicText).toContain("as robot:[secret:000000]");
    expect(basicRest).toEqual(bytes);
    const [plainText] = await said({});
    expect(plainText).toContain(`robot:${password}`);
    // In a packed answer nobody would find it.
    expect(wanted).toEqual(["identity", "identity", "gzip"]);
  });

  test("a credential goes over http only to this machine and where the configuration says so", async () => {
    heard = [];
    const headers = { "x-api-key": "a-key-of-the-tests" };
    const broker = brokerOf({
      pack: {
        reach: ["*.test", "127.0.0.1", "localhost"],
        credentials: {
          own: { hosts: ["127.0.0.1", "localhost"], headers, isAlways: true },
          wide: { hosts: ["wiki.test", "*.wide.test"], headers, isAlways: true },
          named: { hosts: ["named.test:80"], headers, isAlways: true },
          written: { hosts: ["written.test:8080"], headers, overHttp: ["written.test:8080"], isAlways: true },
        },
      },
      // Whatever is not for this machine ends here.
      network: { proxy: `http://127.0.0.1:${port}` },
      names: { localhost: ["127.0.0.1"] },
    });
    const refused = ["wiki.test", "wiki.test:443", "wiki.test:8080", "a.wide.test", "127.0.0.1:443", "localhost:443"];
    for (const host of refused) expect(await broker.get(`http://${host}/`)).toMatchObject({ problem: "exposed" });
    expect(await broker.get("http://wiki.test/", { credential: "wide" })).toMatchObject({ problem: "exposed" });
    expect([broker.asked, heard]).toEqual([[], []]);
    for (const host of ["named.test", "written.test:8080", `127.0.0.1:${port}`, `localhost:${port}`])
      expect(await broker.get(`http://${host}/`)).toMatchObject({ status: 200 });
    expect(heard.map((one) => one.headers.get("x-api-key"))).toEqual(Array(4).fill("a-key-of-the-tests"));
  });

  test("a name of this machine that leads to another one is refused", async () => {
    const broker = brokerOf({ pack: { reach: ["localhost"] }, names: { localhost: ["93.184.216.34"] } });
    expect(await broker.get("http://localhost/")).toMatchObject({ problem: "denied", address: "" });
  });

  test.each([
    ["content-encoding", "gzip", true],
    ["content-encoding", "identity, br", true],
    ["content-encoding", "Identity", undefined],
    ["content-type", "gzip", undefined],
  ])(
    "an answer with %s: %s is withheld (%p) from a request with a credential, and from no other",
    async (name, value, isWithheld) => {
      using packing = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Response("whatever it is", { headers: { [name]: value } }),
      });
      const hosts = [`127.0.0.1:${packing.port}`];
      const key = { hosts, headers: { "x-api-key": "a-key-of-the-tests" } };
      const broker = brokerOf({ pack: { reach: hosts, credentials: { key } } });
      const url = `http://${hosts.join("")}/`;
      const body = btoa("whatever it is");
      const said = await broker.get(url, { credential: "key" });
      expect(said).toMatchObject({ status: 200, isWithheld, body: isWithheld ? "" : body });
      expect(await broker.get(url)).toMatchObject({ isWithheld: undefined, body });
    },
  );

  test("a request is signed for an object store, and so is a URL", async () => {
    heard = [];
    const aws4 = { accessKeyId: "id", secretAccessKey: "key", region: "here", service: "s3" };
    const broker = brokerOf({
      pack: { reach: [`127.0.0.1:${port}`], credentials: { store: { hosts: [`127.0.0.1:${port}`], aws4 } } },
    });
    const url = `http://127.0.0.1:${port}/bucket/a%20b`;
    await broker.get(url, { credential: "store", method: "PUT", body: btoa("text") });
    expect(heard[0]?.headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/here\/s3\/aws4_request/,
    );
    expect(heard[0]?.body).toBe("text");
    const signed = (await broker.call("presign", {
      pack: "web",
      credential: "store",
      url,
      method: "GET",
      seconds: 60,
    })) as { url: string };
    expect(signed.url).toMatch(/X-Amz-Expires=60.*X-Amz-Signature=[0-9a-f]{64}/);
  });
});
