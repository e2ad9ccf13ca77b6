/**
 * `tools` with all that belongs to it in one place, as other hosts write it: `tools.profile`, `tools.autonomy`, and lists for
 * agents and providers below it. They come to the keys `profile`, `mode`, `agents` and `providers`, which mean the same.
 */
import type { FileValues } from "../settings.ts";

/** What a level of autonomy comes to: none of them changes files or runs programs without a rule or a person. */
export const AUTONOMY: Readonly<Record<string, string>> = {
  conservative: "default",
  standard: "default",
  autonomous: "accept_edits",
};

interface Listed {
  readonly profile?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** @throws what `refuse` makes of it, for a value that is said in both places */
export function liftTools(values: FileValues, refuse: (why: string) => Error): FileValues {
  const { tools, ...out } = values as { tools?: Record<string, unknown> } & Record<string, unknown>;
  if (!tools) return values;
  const { profile, autonomy, agents, providers, ...lists } = tools;
  const put = (key: string, value: unknown): void => {
    if (value === undefined) return;
    if (out[key] !== undefined) throw refuse(`${key} is said twice: by itself and in tools`);
    out[key] = value;
  };
  put("profile", profile);
  put("mode", autonomy === undefined ? undefined : AUTONOMY[autonomy as string]);
  for (const [key, given] of Object.entries({ agents, providers })) {
    const own = (out[key] ?? {}) as FileValues;
    const lifted = Object.entries((given ?? {}) as Readonly<Record<string, Listed>>);
    const twice = lifted.find(([name]) => Object.hasOwn(own, name));
    if (twice) throw refuse(`${key}.${twice[0]} is said twice: by itself and in tools`);
    if (lifted.length > 0)
      out[key] = {
        ...own,
        ...Object.fromEntries(lifted.map(([name, one]) => [name, overrideOf(one, out["profile"])])),
      };
  }
  return Object.keys(lists).length === 0 ? out : { ...out, tools: lists };
}

/** An empty list adds nothing and takes nothing away; one that adds does so to the profile of the host. */
function overrideOf({ profile, allow = [], deny = [] }: Listed, usual: unknown): object {
  const adds = allow.length > 0;
  const left = profile ?? (adds ? (usual ?? "full") : undefined);
  return {
    ...(left === undefined ? {} : { profile: left }),
    ...(adds || deny.length > 0 ? { tools: { ...(adds ? { allow } : {}), ...(deny.length > 0 ? { deny } : {}) } } : {}),
  };
}
