/**
 * What `k8s_pods` and `k8s_deployments` have in common: one page of a kind, as a short table for people and as records for
 * programs. One call asks for one page, so a cluster whose lists have no end gets no further than a caller goes.
 */
import * as z from "zod";
import { isoTime, limits, nowMs } from "../../base/index.ts";
import { defineTool, type ContextOf, type Tool, type ToolResult } from "../../contract/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut } from "../fields.ts";
import { askCluster, parseList, type ClusterRequest } from "./ask-cluster.ts";
import { contextField, namespaceField, placeOf, targetOf, type PlaceInput } from "./cluster-fields.ts";
import { listAt, member, numberAt, textAt } from "./read-object.ts";
import { fieldSelectorField, labelSelectorField } from "./selectors.ts";
import type { K8sSettings } from "./settings.ts";
import { showTable, type TableLine } from "./show-table.ts";

const [USUAL_ITEMS, MAX_ITEMS] = [100, 500] as const;
const MAX_LIST_BYTES: number = 16 * 1024 * 1024;
const MAX_CONTINUE_CHARS = 1200;

interface ListInput extends PlaceInput {
  readonly all_namespaces?: boolean | undefined;
  readonly label_selector?: string | undefined;
  readonly field_selector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
}

/** One kind of object. */
export interface ListedKind {
  readonly tool: string;
  readonly title: string;
  readonly summary: string;
  readonly alias: string;
  readonly kind: "pod" | "deployment";
  /** `PodList` */
  readonly listKind: string;
  readonly plural: "pods" | "deployments";
  /** `api/v1`, `apis/apps/v1` */
  readonly group: readonly string[];
  readonly fieldExample: string;
  /** What programs may rely on in a record. */
  readonly item: () => z.ZodObject;
  /** The cells by their headings, and the record of one object. */
  readonly read: (item: unknown, now: number) => { readonly row: TableLine; readonly record: object };
}

export function createListTool(settings: K8sSettings, listed: ListedKind): Tool {
  return defineTool({
    name: listed.tool,
    title: listed.title,
    summary: listed.summary,
    effect: "reach",
    group: "k8s",
    aliases: [listed.alias],
    needs: ["http"],
    idempotent: true,
    input: () => inputOf(settings, listed),
    output: () => z.looseObject({ context: z.string(), items: z.array(listed.item()), ...cut() }),
    access(input) {
      const { namespace, all_namespaces } = input as ListInput;
      const place = placeOf(settings, input as ListInput);
      return [targetOf(place.alias, all_namespaces ? undefined : (namespace ?? place.namespace), listed.kind)];
    },
    run: async (input, ctx) => await listPage(input as ListInput, { settings, listed, ctx }),
  });
}

interface Listing {
  readonly settings: K8sSettings;
  readonly listed: ListedKind;
  readonly ctx: ContextOf<"http">;
}

async function listPage(input: ListInput, { settings, listed, ctx }: Listing): Promise<ToolResult> {
  const { limit = USUAL_ITEMS, all_namespaces: isAll = false } = input;
  const place = placeOf(settings, input);
  const namespace = isAll ? undefined : (input.namespace ?? place.namespace);
  const where = namespace === undefined ? place.alias : `${place.alias}/${namespace}`;
  const request: ClusterRequest = {
    place,
    path: [...listed.group, ...(namespace === undefined ? [] : ["namespaces", namespace]), listed.plural],
    query: {
      limit,
      labelSelector: input.label_selector,
      fieldSelector: input.field_selector,
      continue: input.continue,
    },
    accept: "application/json",
    maxBytes: MAX_LIST_BYTES,
    what: `list the ${listed.plural} of "${where}"`,
  };
  const answer = parseList(listed.listKind, request, await askCluster(request, ctx));
  const now = nowMs();
  const items = listAt(answer, "items");
  const page = items.slice(0, limit).map((item) => listed.read(item, now));
  const shown = fitting(page, input.limit === undefined ? ctx.facts.answerBytes : limits.MAX_READ_BYTES);
  const isCut = shown.length < page.length;
  // The token of the cluster leads past what is left out.
  const { next, left, problem } = isCut ? { left: 0 } : goOn(answer, input);
  const more = items.length > limit;
  return {
    text: `From cluster ${where} (untrusted, read ${isoTime(now).slice(11, 16)}Z):\n\n${
      shown.length === 0 ? `No ${listed.plural}.` : showTable(shown.map(({ row }) => row))
    }`,
    note: noteOf(
      more && `The cluster gave more than was asked for; ${limit} are shown`,
      isCut && `An answer holds the first ${shown.length} of ${page.length}: ask again with limit ${shown.length}`,
      problem,
      next && `${left > 0 ? `About ${left} more` : "There are more"}. ${nextCall(listed.tool, next)}`,
    ),
    structured: {
      context: place.alias,
      ...(namespace === undefined ? {} : { namespace }),
      items: shown.map(({ record }) => record),
      truncated: more || isCut || next !== undefined,
      ...(next ? { next } : {}),
    },
    ...(more || isCut || next ? { truncated: true } : {}),
  };
}

const inputOf = (settings: K8sSettings, { fieldExample, plural }: ListedKind): z.ZodObject =>
  z.strictObject({
    context: contextField(settings),
    namespace: namespaceField(),
    all_namespaces: z.boolean().optional().describe("Those of every namespace. Default false."),
    label_selector: labelSelectorField(),
    field_selector: fieldSelectorField(fieldExample),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_ITEMS)
      .optional()
      .describe(`At most so many ${plural}. Default ${USUAL_ITEMS}, at most ${MAX_ITEMS}.`),
    continue: z
      .string()
      .regex(/^[\w.~+/=:-]+$/)
      .max(MAX_CONTINUE_CHARS)
      .optional()
      .describe("The token of the last answer, to go on. It expires after some minutes."),
  });

type Read = ReturnType<ListedKind["read"]>;

/** As many of the first as the answer holds, both as a table and as records; one at least. */
function fitting(all: readonly Read[], maxBytes: number): readonly Read[] {
  let some = all;
  for (;;) {
    const table = Buffer.byteLength(showTable(some.map(({ row }) => row)));
    const records = Buffer.byteLength(JSON.stringify(some.map(({ record }) => record)));
    const most = Math.max(table / maxBytes, records / Math.max(maxBytes, limits.MAX_READ_BYTES));
    if (most <= 1 || some.length <= 1) return some;
    some = some.slice(0, Math.max(1, Math.min(some.length - 1, Math.floor(some.length / most))));
  }
}

/** A token that is the one that was just sent would lead round in a circle. */
function goOn(
  answer: unknown,
  input: ListInput,
): { readonly next?: ListInput; readonly left: number; readonly problem?: string } {
  const token = member(answer, "metadata", "continue");
  const left = numberAt(answer, "metadata", "remainingItemCount");
  if (typeof token !== "string" || token === "") return { left: 0 };
  if (token === input.continue)
    return { left: 0, problem: "The cluster gave the same token again, so the list ends here" };
  if (token.length > MAX_CONTINUE_CHARS || textAt({ token }, ["token"], MAX_CONTINUE_CHARS) !== token)
    return { left: 0, problem: "There are more, and the token of the cluster cannot be used: ask for a larger limit" };
  return { next: { ...input, continue: token }, left };
}
