/**
 * Files that hold secrets, by name: private keys, credential stores, `.env` files, profiles of clouds and browsers, shell
 * histories, states of infrastructure, and the copies that editors and people leave of any of them. No tool reads, searches,
 * copies, hashes, compares or changes them; listings and searches count them and name none. What only looks like one
 * (`.env.example`, `*.pub`) stays readable.
 *
 * Case does not matter, because a file system may fold it. The operator may except exact paths.
 *
 * Usual mistake: to look at the path below the root alone. A root may lie inside `~/.config` or `~/.docker`.
 */

/**
 * Directories: everything in them. Names of a path stand apart by slashes outside of every group: `LAST_NAMES` counts
 * on it.
 */
const DIRECTORIES: readonly string[] = [
  String.raw`\.(?:ssh|gnupg|aws|azure|kube|oci|password-store|mozilla|thunderbird|ibmcloud|bluemix|tsh|chef|sops|age)`,
  String.raw`\.config\/(?:gcloud|gh|glab-cli|op|doctl|hub|rclone|hcloud|linode-cli|scw|exoscale|stripe|ngrok|heroku|netlify|flyctl)`,
  String.raw`\.config\/(?:sops|age|gopass|goa-1\.0|libaccounts-glib|github-copilot|bitwarden(?: cli)?|keepassxc|remmina|filezilla)`,
  String.raw`\.config\/(?:google-chrome|chromium|microsoft-edge|bravesoftware|vivaldi|opera|signal|slack|discord|evolution)`,
  String.raw`\.local\/share\/(?:keyrings|kwalletd|python_keyring|gopass|evolution|remmina|telegramdesktop|com\.vercel\.cli)`,
  String.raw`\.gnome2\/keyrings`,
  String.raw`\.kde4?\/share\/apps\/kwallet`,
  String.raw`\.subversion\/auth`,
  String.raw`library\/keychains`,
  String.raw`library\/application support\/google\/chrome`,
  String.raw`library\/application support\/(?:chromium|microsoft edge|bravesoftware|firefox)`,
  String.raw`appdata\/local\/google\/chrome`,
  String.raw`appdata\/local\/microsoft\/(?:edge|credentials|vault)`,
  String.raw`appdata\/roaming\/(?:mozilla|gnupg|gcloud|github cli)`,
  String.raw`appdata\/roaming\/microsoft\/(?:credentials|protect)`,
  String.raw`user data\/default`,
];

/** Files that are secret below a directory of a certain name. */
const FILES_BELOW: readonly string[] = [
  String.raw`\.(?:docker|cargo|gem|m2|composer|terraform\.d|databricks|pulumi|claude|codex|gemini|ivy2|sbt)\/(?:\.?credentials(?:\.[^/]*)?|config\.json|settings(?:-security)?\.xml|auth\.json|oauth_creds\.json)`,
  String.raw`\.git\/credentials`,
  String.raw`\.config\/git\/credentials`,
  String.raw`\.config\/(?:composer|containers|pypoetry|opencode)\/auth\.(?:json|toml)`,
  String.raw`\.config\/helm\/registry\/config\.json`,
  String.raw`\.config\/(?:netlify|railway|fly)\/config\.(?:json|yml)`,
  String.raw`\.(?:netlify|railway|fly)\/config\.(?:json|yml)`,
  String.raw`\.local\/share\/(?:opencode|atuin|fish|com\.vercel\.cli)\/(?:auth\.json|key|fish_history|history\.db)`,
  String.raw`\.cache\/huggingface\/(?:stored_)?tokens?`,
  String.raw`\.huggingface\/(?:stored_)?tokens?`,
  String.raw`\.gradle\/gradle\.properties`,
  String.raw`\.nuget\/nuget\/nuget\.config`,
  String.raw`\.(?:vnc|snowsql|dbt)\/(?:passwd|config|profiles\.yml)`,
  String.raw`\.purple\/accounts\.xml`,
  String.raw`config\/credentials\/[^/]+\.ya?ml\.enc`,
];

/** Not where texts are translated, described or made up for tests: there it is the words of a form. Without an escaped slash, see above. */
const NO_WORDS: string = String.raw`(?<!(?:^|[/])(?:locales?|i18n|nls|lang(?:s|uages?)?|translations?|messages|intl|strings|dictionaries|docs?|openapi|schemas?|__mocks__|mocks?|fixtures?|__tests__|tests?|specs?)[/](?:[^/]+[/]){0,3})`;

/** Files, wherever they lie. */
const FILES: readonly string[] = [
  String.raw`\.env(?:rc)?`,
  String.raw`\.env[._-](?!(?:example|sample|template|dist|defaults?|schema)(?:[._-]|$))[^/]+`,
  String.raw`(?:id|ssh_host)_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:_key)?(?:\.(?!(?:[^/]*\.)?pub$)[^/]*)?`,
  String.raw`[^/]+\.(?:pem|key|p12|pfx|p8|pk8|jks|jceks|keystore|keyring|keychain(?:-db)?|kwl|kdbx?|ppk|asc\.key|gpg\.key|tfvars(?:\.json)?|ovpn|agekey|psafe3|opvault|agilekeychain)`,
  String.raw`[^/]*\.tfstate`,
  String.raw`[._]netrc`,
  String.raw`\.(?:pgpass|my\.cnf|mylogin\.cnf|git-credentials|npmrc|pypirc|htpasswd|htdigest|vault-token|boto|s3cfg|passwd-s3fs|dockercfg|yarnrc(?:\.yml)?|terraformrc|rclone\.conf|msmtprc|fetchmailrc|mbsyncrc|smbcredentials|sentryclirc|gist|hgrc_auth|anthropic_api_key|openai_api_key)`,
  String.raw`(?:pgpass|rclone)\.conf|terraform\.rc|secring\.gpg|wallet\.dat|[ce]wallet\.(?:sso|p12)|keyring_pass\.cfg|accesstokens\.json|msal_token_cache\.(?:json|bin)`,
  String.raw`\.(?:bash|zsh|sh|fish|python|node_repl|psql|mysql|mariadb|sqlite|rediscli|mongo|irb|pry|lua|r|php|scala|ts_node_repl)_?history`,
  String.raw`(?:fish|zsh)_history|\.histfile|\.lesshst|consolehost_history\.txt`,
  String.raw`(?:key[34]\.db|logins(?:-backup)?\.json|cookies\.sqlite|login data(?: for account)?|web data|signons\.sqlite)`,
  String.raw`\.?(?:credentials|client_secret[^/]*|service[-_]account[^/]*|application_default_credentials)\.json`,
  String.raw`credentials\.tfrc\.json|(?:[^/]+[._-])?kubeconfig(?:\.(?:ya?ml|json|conf))?|\.?secrets?\.(?:ya?ml|json|toml|env)`,
  String.raw`(?:shadow|gshadow)-?`,
  // Of one place: prod.env, but no example.
  String.raw`(?!(?:[^/]*[-_.])?(?:example|sample|template|dist|defaults?|versions?)(?:[-_.][^/]*)?\.env)[^/]+\.env`,
  // Lists that people keep. Sources, pages and views are called so too.
  String.raw`passw(?:or)?ds?\.(?:txt|csv|tsv|xlsx?|ods|docx?|odt|rtf|db|sqlite3?|gpg|asc|zip|7z)|passwords\.(?:json|ya?ml|ini|conf|toml|xml|enc)`,
  // Keys of GnuPG and in DER, which has public ones too.
  String.raw`secring\.[^/]+|(?:[^/]*[-_.])?(?:private|secret)(?:[-_.]?keys?)?\.(?:asc|gpg|pgp)`,
  String.raw`(?![^/]*pub[^/]*\.der)(?:[^/]*[-_.])?(?:private|(?:priv(?:ate)?)?[-_]?key)\.der`,
  String.raw`${NO_WORDS}credentials\.(?:ya?ml|toml|ini|csv|txt|xml|properties|db)(?:\.enc)?|(?:[^/]*_)?(?:accesskeys|rootkey)\.csv`,
  // Tokens of registries and agents.
  String.raw`${NO_WORDS}auth\.json`,
];

/** What editors, packagers and people put before and behind the name of a copy: `#x#`, `x~`, `x.bak`, `.x.swp`, `x.old.2`. */
const BEFORE = String.raw`(?:#|\.#|\.|copy of )?`;
const BEHIND = String.raw`(?:~\d*~?|\.~\d+~|#|[ ._-]\(?(?:bac?k(?:up)?|bkp|old|orig(?:inal)?|saved?|sav|copy|prev(?:ious)?|te?mp|sw[a-p]|rej|rpm(?:save|new|orig)|(?:dpkg|ucf)-(?:old|new|dist|bak|tmp)|pac(?:save|new|orig)|\d[\d_T-]{0,16})\d{0,3}\)?){0,3}`;

function named(patterns: readonly string[]): string {
  return `${BEFORE}(?:${patterns.join("|")})${BEHIND}`;
}

const SECRET_FILE = new RegExp(String.raw`(?:^|\/)${named([...FILES, ...FILES_BELOW])}(?:\/|$)`, "i");
const SECRET = new RegExp(String.raw`(?:^|\/)${named([...DIRECTORIES, ...FILES, ...FILES_BELOW])}(?:\/|$)`, "i");
/** What begins above a root: a file of a telling name is none because of a directory that has such a name too. */
const SECRET_BELOW = new RegExp(String.raw`(?:^|\/)${named([...DIRECTORIES, ...FILES_BELOW])}(?:\/|$)`, "i");

/** The last name of each, which is where a path begins to be secret. */
const LAST_NAMES = new RegExp(
  `^${named([...DIRECTORIES, ...FILES, ...FILES_BELOW].map((one) => one.slice(one.lastIndexOf("\\/") + 1).replace(/^\//, "")))}$`,
  "i",
);

/** The first name of what has several: a root with none of them on its way changes nothing. */
const FIRST_NAMES = new RegExp(
  String.raw`(?:^|\/)${named([...DIRECTORIES, ...FILES_BELOW].map((one) => one.split("\\/")[0] ?? one))}(?:\/|$)`,
  "i",
);

/**
 * Whether a name in this directory can be secret at all, for listings, which ask for every name of a tree: `false` is sure.
 * @param directory below a root
 */
export function maySecretsBeIn(directory: string): (name: string) => boolean {
  // With the slash: what a directory is called is judged as it is on the way to what lies in it.
  return SECRET.test(`${directory}/`) ? () => true : (name) => LAST_NAMES.test(name);
}

/** `.ssh/id_ed25519.pub` and the like: made to be given away, in whatever directory they lie. */
const PUBLIC = /\/?[^/]+\.pub$/i;

/** The rule of one host. @param except paths below a root, or absolute; what lies below them is excepted too */
export function createSecretRule(except: readonly string[]): (rel: string, absolute: string) => boolean {
  const excepted = except.map((path) => path.replace(/\/+$/, ""));
  const isExcepted = (path: string): boolean => excepted.some((one) => path === one || path.startsWith(`${one}/`));
  const roots = new Map<string, boolean>();
  /** Asked for every path, of few roots. */
  const isTelling = (root: string): boolean => {
    let known = roots.get(root);
    if (known === undefined) {
      if (roots.size >= MAX_ROOTS) roots.clear();
      roots.set(root, (known = FIRST_NAMES.test(root)));
    }
    return known;
  };
  return (rel, absolute) => {
    const root = absolute.slice(0, absolute.length - rel.length);
    if (!isSecret(rel, isTelling(root) ? absolute : undefined)) return false;
    return excepted.length === 0 || !(isExcepted(rel) || isExcepted(absolute));
  };
}

const MAX_ROOTS = 256;

/** @param absolute of a path in a root whose own path may count */
function isSecret(rel: string, absolute: string | undefined): boolean {
  if (!SECRET.test(rel) && (absolute === undefined || !SECRET_BELOW.test(absolute))) return false;
  // What is public by its name may lie among secrets, but is none of the files that are secret by theirs.
  return !PUBLIC.test(rel) || SECRET_FILE.test(rel);
}
