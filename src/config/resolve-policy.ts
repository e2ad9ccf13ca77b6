/**
 * The policy that was said, resolved into the policy that is obeyed.
 */
import { checkRule, PROFILES, type Override, type Profile } from "../policy/index.ts";
import { oneOf } from "./one-of.ts";
import type { RawConfig } from "./resolve-config.ts";
import type { PolicyConfig } from "./settings.ts";

/** @throws Failure `invalid_input` */
export function policyOf(raw: RawConfig): PolicyConfig {
  const { except = [], redact = true, search_terms: terms = "ask" } = raw.secrets ?? {};
  for (const rule of raw.rules ?? []) checkRule(rule);
  return {
    ...selectionOf(raw),
    clients: raw.clients ?? {},
    agents: raw.agents ?? {},
    providers: raw.providers ?? {},
    skills: raw.skills ?? {},
    rules: raw.rules ?? [],
    hooks: raw.hooks ?? [],
    secrets: { except, redact, search_terms: terms },
    budgets: raw.budgets ?? {},
    bridge: { ...raw.bridge, enabled: raw.bridge?.enabled ?? true, read_tools: raw.bridge?.read_tools ?? [] },
    ask: oneOf("--ask", raw.ask ?? "both", ["client", "terminal", "both"] as const),
    audit: oneOf("--audit", raw.audit ?? "required", ["required", "best-effort"] as const),
  };
}

/** A profile may bring its mode, which holds where nobody has said one. */
export function modeOf(raw: RawConfig): string {
  return raw.mode ?? ownProfile(raw)?.mode ?? "default";
}

function ownProfile({ profile = "full", profiles = {} }: RawConfig): Override | undefined {
  return Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
}

function selectionOf(raw: RawConfig): Pick<PolicyConfig, "profile" | "toolList" | "readOnly"> {
  const { profile = "full", toolList = {}, readOnly = false } = raw;
  const own = ownProfile(raw);
  if (!own)
    return {
      profile: oneOf("--profile", profile, [...PROFILES, ...Object.keys(raw.profiles ?? {})]) as Profile,
      toolList,
      readOnly,
    };
  const builtin = PROFILES.find((one) => one === profile);
  const list = own.tools ?? {};
  return {
    profile: own.profile ?? builtin ?? (list.allow ? "none" : "full"),
    toolList: {
      allow: [...(list.allow ?? []), ...(toolList.allow ?? [])],
      deny: [...(list.deny ?? []), ...(toolList.deny ?? [])],
    },
    readOnly: readOnly || own.read_only === true,
  };
}
