/**
 * What stands under `packs.objects` in the configuration: stores by an alias, each with the buckets that a call may name. The
 * names of two variables are all that is said of the credentials; the launcher reads them, and the broker signs with them.
 */
import * as z from "zod/mini";
import { Failure } from "../../../base/index.ts";
import { described } from "../../../contract/described.ts";
import type { Credential, PackNetwork, SettingsByKey } from "../../../contract/index.ts";
import { credentialHosts, hostOf } from "../../endpoint-settings.ts";
import { simpleEntries, simpleList, simpleObject, simpleOrigin, simpleText } from "../../simple-settings.ts";

export interface StoreSettings {
  readonly endpoint: string;
  readonly region: string;
  /** The first is the usual one. */
  readonly buckets: readonly string[];
  readonly credentials?: { readonly access_key: string; readonly secret_key: string } | undefined;
}

export interface ObjectsSettings {
  readonly stores: Readonly<Record<string, StoreSettings>>;
}

/** A bucket of a store, as a call names it. */
export interface BucketPlace {
  readonly alias: string;
  readonly bucket: string;
  readonly store: StoreSettings;
}

const VARIABLE = /^[A-Za-z_]\w*$/;
const MAX_VARIABLE_CHARS = 100;

const variable = (what: string): z.ZodMiniString =>
  described(
    z
      .string()
      .check(z.regex(VARIABLE, "the name of a variable of the environment is meant"), z.maxLength(MAX_VARIABLE_CHARS)),
    what,
  );

/** Names of S3, and those that older stores have: no slash, and no second way to read it in a path. */
const BUCKET = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){1,61}[A-Za-z0-9]$/;
const ALIAS = /^[a-z][a-z0-9_-]{0,30}$/;
const REGION = /^[a-z0-9-]{1,60}$/;

const SIMPLE_VARIABLE = simpleText(VARIABLE, MAX_VARIABLE_CHARS);

const SIMPLE_STORE = simpleObject<StoreSettings>(
  {
    endpoint: simpleOrigin,
    region: simpleText(REGION),
    buckets: simpleList(simpleText(BUCKET)),
    credentials: simpleObject({ access_key: SIMPLE_VARIABLE, secret_key: SIMPLE_VARIABLE }),
  },
  { credentials: undefined },
);

export const OBJECTS_SETTINGS: SettingsByKey<ObjectsSettings> = {
  usual: {},
  simple: { stores: simpleEntries(ALIAS, SIMPLE_STORE) },
  keys: {
    stores: () =>
      described(
        z
          .record(z.string().check(z.regex(ALIAS, "an alias begins with a small letter")), storeSchema())
          .check(z.refine((stores) => Object.keys(stores).length > 0, "it names no store")),
        "Stores by the alias that calls and rules name them by. The first is meant where a call names none.",
      ),
  },
};

function storeSchema(): z.ZodMiniType<StoreSettings> {
  return z.strictObject({
    endpoint: described(
      z.url({ protocol: /^https?$/ }).check(
        z.maxLength(300),
        z.refine(
          (text) => /^https?:\/\/[^/?#@]+(?:\/[\w./-]*)?$/.test(text),
          "it has no user name, no query and no fragment",
        ),
      ),
      "Where it is: https://s3.example, with a port where it has one. Buckets are asked for by path.",
    ),
    region: described(
      z.string().check(z.regex(REGION)),
      "The region that requests are signed for, as the store has it, for example us-east-1.",
    ),
    buckets: described(
      z.array(z.string().check(z.regex(BUCKET, "it is no name of a bucket"))).check(z.minLength(1), z.maxLength(100)),
      "The buckets that a call may name. The first is meant where it names none.",
    ),
    credentials: described(
      z.optional(
        z.strictObject({
          access_key: variable("The variable of the environment that holds the access key."),
          secret_key: variable("The variable of the environment that holds the secret key."),
        }),
      ),
      "Names of variables, never values. Without them requests are not signed.",
    ),
  });
}

export function networkOf({ stores }: ObjectsSettings): PackNetwork {
  const signed = Object.entries(stores).flatMap(([alias, { endpoint, region, credentials }]): [string, Credential][] =>
    credentials === undefined
      ? []
      : [
          [
            alias,
            {
              ...credentialHosts(endpoint),
              aws4: {
                accessKeyId: `\${${credentials.access_key}}`,
                secretAccessKey: `\${${credentials.secret_key}}`,
                region,
                service: "s3",
              },
            },
          ],
        ],
  );
  const reach = Object.values(stores).map(({ endpoint }) => hostOf(endpoint));
  return { reach: [...new Set(reach)], credentials: Object.fromEntries(signed) };
}

/** The first store and its first bucket are meant where a call names none. @throws Failure `not_found`, `denied` */
export function findBucket(
  { stores }: ObjectsSettings,
  {
    store: alias = Object.keys(stores)[0] ?? "",
    bucket,
  }: { readonly store?: string | undefined; readonly bucket?: string | undefined },
): BucketPlace {
  const store = Object.hasOwn(stores, alias) ? stores[alias] : undefined;
  if (!store)
    throw new Failure(
      "not_found",
      `Cannot use the store ${JSON.stringify(alias.slice(0, 60))}: there is no such alias`,
      {
        hint: "packs.objects.stores of the configuration names them.",
        candidates: Object.keys(stores),
      },
    );
  const named = bucket ?? store.buckets[0] ?? "";
  if (store.buckets.includes(named)) return { alias, bucket: named, store };
  throw new Failure(
    "denied",
    `Cannot use the bucket ${JSON.stringify(named.slice(0, 80))}: packs.objects.stores.${alias}.buckets does not list it`,
    { candidates: store.buckets },
  );
}
