/**
 * What stands under `packs.web` in the configuration. Without a list of hosts nothing is reached.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import type { Credential, PackNetwork, SettingsByKey } from "../../contract/index.ts";
import { hostOf, hostsOverHttp } from "../endpoint-settings.ts";
import { networkSettings, SIMPLE_NETWORK, type NetworkSettings } from "../network-settings.ts";

/** A header for some hosts, added where no tool sees it. */
interface WebCredential {
  readonly hosts: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface SearchSettings {
  readonly backend: "searxng" | "json";
  readonly url: string;
  readonly results?: string | undefined;
  readonly title?: string | undefined;
  readonly link?: string | undefined;
  readonly snippet?: string | undefined;
}

export type WebMethod = "POST" | "PUT" | "PATCH" | "DELETE";

export interface WebSettings {
  readonly network: NetworkSettings;
  readonly methods: readonly WebMethod[];
  readonly credentials: readonly WebCredential[];
  readonly per_minute: number;
  readonly robots: boolean;
  readonly search?: SearchSettings | undefined;
}

const text = (what: string): z.ZodMiniString => described(z.string().check(z.minLength(1), z.maxLength(1000)), what);

const credential = (): z.ZodMiniType<WebCredential> =>
  z.strictObject({
    hosts: described(
      z.array(text("A host, as in reach.")).check(z.minLength(1)),
      "Entries as in reach. It is sent nowhere else, and over http only to this machine or where the entry says port 80.",
    ),
    headers: described(
      z.record(z.string().check(z.regex(/^[A-Za-z0-9-]+$/)), z.string().check(z.regex(/^[\t\x20-\x7e]*$/))),
      "Added to every request; ${NAME} in a value stands for a variable of the environment of this host.",
    ),
  });

const pointer = (what: string): z.ZodMiniOptional<z.ZodMiniString> =>
  described(z.optional(z.string().check(z.regex(/^\//, "a JSON Pointer begins with /"), z.maxLength(200))), what);

const searchService = (): z.ZodMiniType<SearchSettings> =>
  described(
    z
      .strictObject({
        backend: described(
          z.enum(["searxng", "json"]),
          "searxng: its JSON format; json: any service that answers with JSON.",
        ),
        url: text(
          "searxng: where it is (https://search.example). json: an address with {query} and, if it knows one, {limit}.",
        ),
        results: pointer("json: a JSON Pointer to the list of results."),
        title: pointer("json: a JSON Pointer to the title, in a result. Default /title."),
        link: pointer("json: a JSON Pointer to the address, in a result. Default /url."),
        snippet: pointer("json: a JSON Pointer to a text, in a result. Default /content."),
      })
      .check(
        z.refine(
          ({ url }) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol),
          "its url must be http or https",
        ),
        z.refine(
          ({ backend, url, results }) => backend === "searxng" || (url.includes("{query}") && results !== undefined),
          "the backend json needs {query} in its url, and results",
        ),
      ),
    "Where web_search asks. Without it there is no web_search.",
  );

/** As minutes go, a person reads less. */
const USUAL_PER_MINUTE = 30;

export const WEB_SETTINGS: SettingsByKey<WebSettings> = {
  usual: {
    network: { reach: [] },
    methods: [],
    credentials: [],
    per_minute: USUAL_PER_MINUTE,
    robots: false,
    search: undefined,
  },
  simple: { network: SIMPLE_NETWORK },
  keys: {
    network: () =>
      networkSettings("Hosts that its tools may speak to. What is not listed is denied, and nobody is asked."),
    methods: () =>
      described(
        z.array(z.enum(["POST", "PUT", "PATCH", "DELETE"])),
        "Methods besides GET and HEAD. Such a request waits for a person, unless a rule or the mode bypass allows it.",
      ),
    credentials: () => described(z.array(credential()), "Headers for some hosts, which no tool and no model sees."),
    per_minute: () =>
      described(
        z.int().check(z.minimum(1), z.maximum(100_000)),
        `Requests to one host within a minute. Default ${USUAL_PER_MINUTE}.`,
      ),
    robots: () => described(z.boolean(), "true: what a host forbids in its robots.txt is not fetched. Default false."),
    search: searchService,
  },
};

/** The host of the search is reached besides those that are listed. */
export function networkOf({ network, credentials, per_minute, search }: WebSettings): PackNetwork {
  const overHttp = search ? hostsOverHttp(search.url) : [];
  const named = credentials.map((one, index): [string, Credential] => [
    `web ${index + 1}`,
    { ...one, overHttp, isAlways: true },
  ]);
  return {
    reach: [...new Set([...network.reach, ...(search ? [hostOf(search.url)] : [])])],
    credentials: Object.fromEntries(named),
    perMinute: per_minute,
  };
}
