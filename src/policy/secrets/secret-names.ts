/**
 * The names of files that hold secrets, as expressions: of directories, of files wherever they lie, and of files below a directory of a
 * certain name. `secret-paths.ts` says what they mean. Most are long, and the runtime takes 7 to 14 ms to make one ready, so each is made
 * when a path needs it; `TELLING` is short, and all that an ordinary path needs.
 *
 * Usual mistake: a new name without a sign or a word of it in `TELLING`, which would never be asked for.
 */

/**
 * Directories: everything in them. Names of a path stand apart by slashes outside of every group: `lastNames` counts
 * on it.
 */
export const DIRECTORIES: readonly string[] = [
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
export const FILES_BELOW: readonly string[] = [
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
export const FILES: readonly string[] = [
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

/** What each of those names has in it, or one that stands before it in its path. */
export const TELLING: RegExp = new RegExp(
  [
    // Names with a dot before them, and copies of any name.
    String.raw`(?:^|\/)(?:[.#]|copy of )`,
    String.raw`\.(?:pem|key|p12|pfx|p8|pk8|jks|jceks|kwl|kdb|ppk|tf(?:vars|state)|ovpn|agekey|psafe3|opvault|agilekeychain|env|der)`,
    String.raw`_(?:rsa|e?c?dsa|ed25519|xmss)|key[34]\.db|keyring|keychain|rootkey|accesskeys|auth\.json|terraform\.rc`,
    "passw|pgpass|rclone|secring|wallet|token|history|login|cookies|signons|credential|secret|private|shadow|netrc|kubeconfig",
    String.raw`service[-_]account|application support|appdata|user data|web data`,
  ].join("|"),
  "i",
);

type Names = readonly string[];

/** Made when a path first needs it. */
function made(write: () => string, flags = "i"): () => RegExp {
  let expression: RegExp | undefined;
  return () => (expression ??= new RegExp(write(), flags));
}

function inPath(names: Names): string {
  return String.raw`(?:^|\/)${named(names)}(?:\/|$)`;
}

export const secretNames: () => RegExp = made(() => inPath([...DIRECTORIES, ...FILES, ...FILES_BELOW]));
export const secretFiles: () => RegExp = made(() => inPath([...FILES, ...FILES_BELOW]));
/** What begins above a root: a file of a telling name is none because of a directory that has such a name too. */
export const secretBelow: () => RegExp = made(() => inPath([...DIRECTORIES, ...FILES_BELOW]));
/** The last name of each, which is where a path begins to be secret; matched where a name begins. */
export const lastNames: () => RegExp = made(() => {
  const last = [...DIRECTORIES, ...FILES, ...FILES_BELOW].map((one) => one.slice(one.lastIndexOf("\\/") + 1));
  return String.raw`${named(last.map((one) => one.replace(/^\//, "")))}(?:\/|$)`;
}, "iy");
/** The first name of what has several: a root with none of them on its way changes nothing. */
export const firstNames: () => RegExp = made(() =>
  inPath([...DIRECTORIES, ...FILES_BELOW].map((one) => one.split("\\/")[0] ?? one)),
);
