/**
 * Searches whose only sense is to find secrets: a person is asked about them, because what they find is shown line by line.
 *
 * Names are looked for where nothing else stands in the pattern, or where a value is assigned to them: `password` and `password =`
 * ask, `passwordField` and `token` do not, because that is how code is searched. A net, not a wall.
 */
import { ANY, plainPattern } from "./plain-pattern.ts";

const GAP = String.raw`[ _.-]?`;

/** Beginnings that issuers give their tokens, and what stands around a key. */
const ISSUED: readonly string[] = [
  String.raw`PRIVATE\s+KEY|AKIA|ASIA|gh(?:[pousr]|${ANY})_|github_pat_|glpat-|xox(?:[abeoprs]|${ANY})-|(?:[sr]|${ANY})k_live_|AIza`,
  String.raw`(?<![a-z0-9_-])sk-(?:${ANY}|ant-|proj-|svcacct-|[a-z0-9]{16})|^\W*sk-\W*$`,
  String.raw`(?:^|[^\w-])-{1,5}\s?BEGIN(?!\s(?:CERTIFICATE|PUBLIC))`,
  String.raw`\bBEGIN\s(?:RSA|DSA|EC|OPENSSH|PGP|ENCRYPTED|PRIVATE)\b`,
  String.raw`authorization["']?\s?[=:]\s?["']?(?:bearer|basic|token)|\bbearer\s*${ANY}`,
];

/** What a person calls a secret, alone. */
const NAMES: readonly string[] = [
  "passw(?:or)?ds?|passphrases?|secrets?|credentials?",
  `(?:api|access|secret|private)${GAP}keys?|auth${GAP}tokens?`,
  "aws_(?:secret_access_key|access_key_id)",
  `(?:client|app|consumer)[ _.-]secrets?|(?:access|refresh|bearer|api|github|gitlab|npm|slack)[ _.-]tokens?`,
  `(?:openai|anthropic|gemini|google|azure|stripe|twilio|sendgrid|github|gitlab|slack)[ _.-](?:api${GAP}|secret${GAP})keys?`,
  "(?:db|database|mysql|postgres|pg|redis|smtp|root|admin)[ _.-]passw(?:or)?d",
];

const ASSIGNED: readonly string[] = [
  // What may stand between is also there as a regular expression says it, for a pattern that is meant as it stands.
  String.raw`(?:passw(?:or)?d|secret|api${GAP}key|access${GAP}key|auth${GAP}token|credential)s?["']?(?:\\s|[\s*+?${ANY}])*[=:]`,
  // These are also what code calls a piece of a text: only where the value is left open.
  String.raw`^\W*(?:\w{1,64}[_-])?(?:token|pwd)["']?\s*=(?![=>])[^A-Za-z]*$`,
];

const SECRET_TERM = new RegExp([...ISSUED, String.raw`^\W*(?:${NAMES.join("|")})\W*$`, ...ASSIGNED].join("|"), "i");

/** `PRIVATE.*KEY`; in small letters it is a member of a class. */
const KEY_LINE = new RegExp(`PRIVATE[${ANY}\\s]+KEY`);

/** A variable of the environment, as a whole. */
const VARIABLE = /^[\W_]*([A-Z][A-Z0-9_]*)(?:\s*=)?\W*$/;
const OF_SECRET =
  /_(?:PASSWORD|PASSWD|PASSPHRASE|SECRETS?|CREDENTIALS?|(?:API_?|SECRET_?|ACCESS_?|PRIVATE_?|ENCRYPTION_|SIGNING_|MASTER_)KEY|ACCESS_KEY_ID|(?:ACCESS|AUTH|REFRESH|BEARER|API|BOT|GITHUB|GITLAB|GH|NPM|SLACK|HF)_TOKEN)$/;
/** Constants of programs that say what is wrong or what is to be done. */
const OF_CODE = /^(?:INVALID|WRONG|BAD|WEAK|MISSING|NO|ERR|ERROR|RESET|FORGOT|CHANGE|UPDATE|MIN|MAX|SHOW|HIDE)_/;

/** A search whose only sense is to find secrets. */
export function looksForSecrets(pattern: string): boolean {
  return [pattern, ...pattern.split("|")].some((one) => isSecretTerm(one) || isSecretTerm(plainPattern(one)));
}

function isSecretTerm(text: string): boolean {
  return SECRET_TERM.test(text) || KEY_LINE.test(text) || isVariable(text);
}

function isVariable(text: string): boolean {
  const name = VARIABLE.exec(text)?.[1];
  return name !== undefined && OF_SECRET.test(`_${name}`) && !OF_CODE.test(name);
}
