/**
 * What a cluster says of the kinds that it has (`/api`, `/apis` and below), as clients that take any kind ask for first.
 */
const resource = (name: string, kind: string, verbs: readonly string[]): object => ({
  name,
  singularName: name.replace(/s$/, ""),
  namespaced: true,
  kind,
  verbs,
});

const APPS = { groupVersion: "apps/v1", version: "v1" };

/** By path. */
export const DISCOVERY: Readonly<Record<string, object>> = {
  "/api": { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] },
  "/apis": {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [{ name: "apps", versions: [APPS], preferredVersion: APPS }],
  },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [
      resource("pods", "Pod", ["get", "list"]),
      resource("pods/log", "Pod", ["get"]),
      resource("events", "Event", ["get", "list"]),
      resource("services", "Service", ["get", "list"]),
      resource("secrets", "Secret", ["get", "list"]),
    ],
  },
  "/apis/apps/v1": {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: "apps/v1",
    resources: [resource("deployments", "Deployment", ["get", "list"])],
  },
};
