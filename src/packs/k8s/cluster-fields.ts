/**
 * What every tool of clusters takes, and what rules decide about: `k8s_pods(stage/payments/pod/**)`.
 */
import * as z from "zod";
import { Failure } from "../../base/index.ts";
import type { Target } from "../../contract/index.ts";
import { usualContext, type ContextSettings, type K8sSettings } from "./settings.ts";

/** RFC 1123: of a namespace or a container a label, of a pod labels with dots between them. */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

export interface PlaceInput {
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface ClusterPlace extends ContextSettings {
  /** The name here, which is that of its credential. */
  readonly alias: string;
  readonly hasCredential: boolean;
}

export const contextField = (settings: K8sSettings): z.ZodType<string | undefined> => {
  const usual = usualContext(settings);
  const field = z
    .enum(Object.keys(settings.contexts))
    .describe(`The cluster. ${usual ? `Default ${usual}.` : ""}`.trim());
  return usual === undefined ? field : field.optional();
};

export const namespaceField = (): z.ZodOptional<z.ZodString> =>
  z.string().regex(LABEL).optional().describe("The namespace. Default: the one of the configuration.");

export const podField = (): z.ZodString => z.string().regex(NAME).describe("The pod, as k8s_pods names it.");

export const containerField = (): z.ZodOptional<z.ZodString> =>
  z.string().regex(LABEL).optional().describe("The container; needed where the pod has several.");

/** @throws Failure `invalid_input` */
export function placeOf(settings: K8sSettings, { context }: PlaceInput): ClusterPlace {
  const alias = context ?? usualContext(settings) ?? "";
  const found = Object.hasOwn(settings.contexts, alias) ? settings.contexts[alias] : undefined;
  if (found) return { ...found, alias, hasCredential: (found.kubeconfig ?? settings.kubeconfig) !== undefined };
  throw new Failure("invalid_input", "Cannot tell which cluster is meant", {
    hint: "Name it with context.",
    candidates: Object.keys(settings.contexts),
  });
}

/** A list is everything of its kind; without a namespace everything of the cluster. */
export function targetOf(
  alias: string,
  namespace: string | undefined,
  kind: "pod" | "deployment",
  name?: string,
): Target {
  if (namespace === undefined) return { kind: "object", alias, deep: true, mode: "read" };
  const key = name === undefined ? kind : `${kind}/${name}`;
  return { kind: "object", alias, bucket: namespace, key, mode: "read", ...(name === undefined ? { deep: true } : {}) };
}
