/**
 * Status objects as kube-apiserver gives them in the place of an answer, with names of the tests' own.
 */
/** What the server says in the place of an answer. */
export function statusOf(
  code: number,
  about: {
    readonly user?: string;
    readonly resource?: string | undefined;
    readonly namespace?: string | undefined;
    readonly pod?: string;
  } = {},
): object {
  const { user, resource, namespace, pod: name } = about;
  const words: Readonly<Record<number, readonly [reason: string, message: string, details?: object]>> = {
    400: ["BadRequest", `a container name must be specified for pod ${name}, choose one of: [app job]`],
    401: ["Unauthorized", "Unauthorized"],
    403: [
      "Forbidden",
      `${resource} is forbidden: User "${user}" cannot list resource "${resource}" in API group "" in the namespace "${namespace}"`,
      { kind: resource },
    ],
    404:
      name === undefined
        ? ["NotFound", "the server could not find the requested resource", {}]
        : ["NotFound", `pods "${name}" not found`, { name, kind: "pods" }],
    410: [
      "Expired",
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.",
    ],
    429: ["TooManyRequests", "Too many requests, please try again later.", { retryAfterSeconds: 7 }],
    500: ["InternalError", "Internal error occurred: etcdserver: request timed out", { causes: [] }],
  };
  const [reason, message, details] = words[code] ?? ["Unknown", "unknown"];
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details ? { details } : {}),
    code,
  };
}
