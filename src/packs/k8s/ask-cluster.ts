/**
 * One GET to the API of a cluster. A status other than 200 becomes a failure with the next step; the words of the cluster in it are
 * quoted, because they are somebody else's.
 */
import { Failure } from "../../base/index.ts";
import type { ContextOf, HttpAnswer } from "../../contract/index.ts";
import type { ClusterPlace } from "./cluster-fields.ts";
import { member, textAt } from "./read-object.ts";

export interface ClusterRequest {
  readonly place: ClusterPlace;
  /** Segments of the path, each encoded here. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept: string;
  readonly maxBytes: number;
  /** `list the pods of "stage/payments"`, behind "Cannot". */
  readonly what: string;
  readonly timeoutMs?: number | undefined;
}

/** @throws Failure */
export async function askCluster(request: ClusterRequest, { http }: ContextOf<"http">): Promise<HttpAnswer> {
  const { place, accept, maxBytes, timeoutMs } = request;
  let answer: HttpAnswer;
  try {
    answer = await http({
      url: urlOf(request),
      headers: { accept },
      maxBytes,
      timeoutMs,
      ...(place.hasCredential ? { credential: place.alias } : {}),
    });
  } catch (thrown) {
    throw withNextStep(thrown, place);
  }
  if (answer.status === 200) return answer;
  throw failureOf(request, answer);
}

/** What goes wrong on the way is said for any server; here it is a cluster, and a call has other arguments. */
function withNextStep(thrown: unknown, { hasCredential }: ClusterPlace): unknown {
  if (!(thrown instanceof Failure)) return thrown;
  const { data } = thrown;
  if (data.code === "timed_out")
    return new Failure("timed_out", data.message, {
      ...data,
      hint: "Ask for less: with limit or a selector, or with tail or since. Or try again later.",
    });
  if (!hasCredential || data.details?.["problem"] !== "tls") return thrown;
  return new Failure(data.code, data.message, {
    ...data,
    hint: "The certificate-authority of the cluster in its kubeconfig is believed, and network.ca of the configuration only where there is none.",
  });
}

/** @throws Failure `command_failed` for another kind of answer, as the page of a login, and for items that are no list */
export function parseList(kind: string, { what }: ClusterRequest, { body }: HttpAnswer): unknown {
  const answer = parsed(body);
  const items = member(answer, "items");
  const isKind = member(answer, "kind") === kind;
  if (isKind && (Array.isArray(items) || items === null)) return answer;
  const found = isKind ? `a ${kind} without a list of items` : `no ${kind}`;
  throw new Failure("command_failed", `Cannot ${what}: the answer is ${found}, so this is no API of a cluster`, {
    hint: "Look at the server of this context in packs.k8s of the configuration.",
    retry: "never",
  });
}

function urlOf({ place, path, query }: ClusterRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  const at = `${place.server.replace(/\/+$/, "")}/${path.map(encodeURIComponent).join("/")}`;
  return search === "" ? at : `${at}?${search}`;
}

const MAX_MESSAGE_CHARS = 400;
const MAX_WAIT_S = 86_400;

function failureOf({ what, place }: ClusterRequest, { status, headers, body }: HttpAnswer): Failure {
  const said = parsed(body);
  const isStatus = member(said, "kind") === "Status";
  const message = isStatus ? textAt(said, ["message"], MAX_MESSAGE_CHARS) : "";
  const state = `Cannot ${what}: status ${status}${message === "" ? "" : `; the cluster says ${JSON.stringify(message)}`}`;
  switch (status) {
    case 400:
    case 422:
      return new Failure("invalid_input", state, {
        ...(/waiting to start/.test(message) ? { retry: "later" } : {}),
        hint: stepOf(message),
      });
    case 401:
      return new Failure("denied", state, {
        hint: place.hasCredential
          ? `The cluster does not accept the credential of ${place.alias}, which is read anew when that happens. Whoever runs this host renews it.`
          : `There is no credential for ${place.alias}: name a kubeconfig in packs.k8s of the configuration.`,
        retry: "later",
      });
    case 403:
      return new Failure("denied", state, {
        hint: "The credential may not do that: a Role of the cluster has to allow it.",
      });
    case 404:
      return new Failure("not_found", state, { hint: "k8s_pods lists what there is; a namespace may be meant." });
    case 410:
      return new Failure("stale", state, {
        hint: "The continue token has expired, as it does after some minutes. Begin again without continue.",
      });
    case 429:
      return new Failure("busy", state, { hint: `The cluster has too much to do. Try again ${waitOf(headers)}.` });
    default:
      return new Failure("command_failed", state, otherwise(status, isStatus));
  }
}

function stepOf(message: string): string {
  if (/must be specified|choose one of|is not valid for pod/.test(message))
    return "Name one of the containers of the pod with container; k8s_pods lists them.";
  return /waiting to start/.test(message)
    ? "The container does not run yet: k8s_pods says how it is."
    : "Correct the arguments and call again.";
}

function otherwise(status: number, isStatus: boolean): { readonly hint: string; readonly retry: "later" | "never" } {
  if (status >= 500)
    return { hint: "The cluster failed, or what stands before it. Try again in a moment.", retry: "later" };
  return {
    hint: isStatus
      ? "The cluster does not do that."
      : "That is no answer of a cluster: look at the server of this context in packs.k8s of the configuration.",
    retry: "never",
  };
}

function waitOf({ "retry-after": after = "" }: Readonly<Record<string, string>>): string {
  return /^\d{1,6}$/.test(after) && Number(after) <= MAX_WAIT_S ? `in ${Number(after)} seconds` : "in a moment";
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}
