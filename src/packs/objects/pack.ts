/**
 * Object stores that speak S3: buckets that the configuration lists, by the alias of their store. Reading is free inside of them;
 * what leaves this machine is shown to a person first.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { hostOf } from "../endpoint-settings.ts";
import { createObjectIngest } from "./ingest.ts";
import { createObjectList } from "./list.ts";
import { listingsPower } from "./store/listing-power.ts";
import { OBJECTS_PLAN } from "../plans.ts";
import { createObjectPut } from "./put.ts";
import { createObjectRead } from "./read.ts";
import { createObjectShare } from "./share.ts";
import { createObjectSync } from "./sync.ts";

export const objectsPack: Pack = definePack({
  ...OBJECTS_PLAN,
  tools: (settings) => [
    createObjectList(settings),
    createObjectRead(settings),
    createObjectPut(settings),
    createObjectShare(settings),
    createObjectIngest(settings),
    createObjectSync(settings),
  ],
  powers: [listingsPower],
  doctor: ({ stores }) =>
    Object.entries(stores).map(
      ([alias, { endpoint, buckets, credentials }]) =>
        `${alias}: ${buckets.join(", ")} at ${hostOf(endpoint)}${credentials ? "" : ", without credentials"}`,
    ),
});
