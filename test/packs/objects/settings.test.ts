/**
 * What may stand under `packs.objects`, and what a host says of a configuration that cannot be.
 */
import { expect, test } from "bun:test";
import { loadPacks } from "../../../src/config/index.ts";
import { networkOf } from "../../../src/packs/objects/store/settings.ts";

const STORE = { endpoint: "https://s3.example", region: "us-east-1", buckets: ["builds"] };

async function load(objects: object): Promise<unknown> {
  return await loadPacks({ packSettings: { objects }, dialect: "ringfence" });
}

test.each([
  [{}, "stores"],
  [{ stores: {} }, "it names no store"],
  [{ stores: { art: { ...STORE, region: undefined } } }, "stores.art.region"],
  [{ stores: { art: { ...STORE, buckets: [] } } }, "stores.art.buckets"],
  [{ stores: { art: { ...STORE, buckets: ["a/b"] } } }, "it is no name of a bucket"],
  [{ stores: { art: { ...STORE, buckets: [".."] } } }, "it is no name of a bucket"],
  [{ stores: { art: { ...STORE, endpoint: "ftp://s3.example" } } }, "stores.art.endpoint"],
  [{ stores: { art: { ...STORE, endpoint: "https://me:pw@s3.example" } } }, "it has no user name"],
  [{ stores: { art: { ...STORE, endpoint: "https://s3.example/?x" } } }, "no query"],
  [{ stores: { art: { ...STORE, endpoint: "https://169.254.169.254" } } }, "this address is never reached"],
  [{ stores: { art: { ...STORE, credentials: { access_key: "a b", secret_key: "S" } } } }, "the name of a variable"],
  [{ stores: { art: { ...STORE, bukets: [] } } }, "did you mean buckets?"],
  [{ stores: { art: STORE }, stors: {} }, "did you mean stores?"],
])("%j under packs.objects is refused at the start with its place", async (objects, said) => {
  await expect(load(objects)).rejects.toThrow(said);
});

test("a credential goes over http where the endpoint says http, and nowhere else", () => {
  const credentials = { access_key: "KEY", secret_key: "SECRET" };
  const stores = {
    plain: { ...STORE, endpoint: "http://minio.corp.example:9000", credentials },
    sealed: { ...STORE, credentials },
  };
  expect(networkOf({ stores }).credentials).toMatchObject({
    plain: { hosts: ["minio.corp.example:9000"], overHttp: ["minio.corp.example:9000"] },
    sealed: { hosts: ["s3.example:443"], overHttp: [] },
  });
});

test("a store without credentials, with a port and a path, is one", async () => {
  const store = { ...STORE, endpoint: "http://127.0.0.1:9000/s3", buckets: ["builds", "My_logs.2026"] };
  expect(await load({ stores: { art: store } })).toContainEqual(expect.objectContaining({ isOn: true }));
});
