/**
 * Which files grep looks into, by name: `include`, `exclude` and `type`, with the meaning of ripgrep's `-g` and `-t`.
 * A glob without a slash is meant at any depth, one with a slash from the start of the search; a file that an include
 * names is searched whatever its type, even if an ignore rule or its dot would leave it out (not if its directory is left
 * out).
 */
import { Failure } from "../../base/index.ts";
import type { ToolArguments } from "../../calls/index.ts";
import { checkedForms } from "../ignore/glob-pattern.ts";
import { compileRule, type RuleTest } from "../ignore/ignore-file.ts";
import { compileSegment } from "../ignore/wildcard.ts";
import { nearestNames } from "../../text/index.ts";

type FileFilterOptions = Pick<ToolArguments["grep"], "include" | "exclude" | "type">;

export interface FileFilter {
  /** For the walk; `undefined` when no globs were given. */
  readonly override:
    | ((directory: string, name: string, isDirectory: boolean) => "include" | "exclude" | undefined)
    | undefined;
  /** By type, which what an include names needs not have; asked for files only. */
  readonly accepts: (name: string) => boolean;
  /** As ripgrep: a dot file of an asked type is searched. `undefined` when no type was given. */
  readonly keepsHidden: ((name: string) => boolean) | undefined;
}

interface Glob {
  readonly verdict: "include" | "exclude";
  readonly directoriesOnly: boolean;
  readonly matches: RuleTest;
}

/** @throws Failure `invalid_input`, `outside_scope` */
export function createFileFilter(options: FileFilterOptions): FileFilter {
  const includes = (options.include ?? []).filter((glob) => !glob.startsWith("!"));
  // In the order in which they were given: the last that matches decides.
  const globs = [
    ...(options.include ?? []).flatMap((glob) =>
      glob.startsWith("!") ? parseGlob(glob.slice(1), "exclude") : parseGlob(glob, "include"),
    ),
    ...(options.exclude ?? []).flatMap((glob) => parseGlob(glob, "exclude")),
  ];
  globs.reverse();
  const hasType = typeTest(options.type ?? []);
  return {
    override:
      globs.length === 0
        ? undefined
        : (directory, name, isDirectory) => judge(globs, includes.length > 0, directory, name, isDirectory),
    // Where there are includes the walk gives nothing else.
    accepts: includes.length > 0 ? () => true : hasType,
    keepsHidden: options.type?.length ? hasType : undefined,
  };
}

/** Last glob wins, so `globs` come last first. */
function judge(globs: readonly Glob[], hasIncludes: boolean, directory: string, name: string, isDirectory: boolean) {
  const found = globs.find((glob) => (isDirectory || !glob.directoriesOnly) && glob.matches(directory, name));
  if (found) return found.verdict;
  return hasIncludes && !isDirectory ? "exclude" : undefined;
}

function parseGlob(glob: string, verdict: Glob["verdict"]): Glob[] {
  return checkedForms(glob).map((form) => {
    const directoriesOnly = form.length > 1 && form.endsWith("/");
    const pattern = (directoriesOnly ? form.slice(0, -1) : form).replace(/^\.\//, "/");
    const matches = compileRule(pattern);
    if (matches) return { verdict, directoriesOnly, matches };
    throw new Failure("invalid_input", `Cannot match ${JSON.stringify(glob)}: it is not a glob (is a [ open?)`, {
      hint: 'Write a literal [ as "\\\\[".',
    });
  });
}

function typeTest(types: readonly string[]): (name: string) => boolean {
  if (types.length === 0) return () => true;
  const tests = types.flatMap(globsOfType).map((glob) => compileSegment(glob, { dot: true, groups: false }));
  return (name) => tests.some((test) => test?.(name));
}

/** The common part of ripgrep's `--type` table: a name for a kind of file, and globs on the file's own name. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  asm: "*.asm *.s *.S",
  c: "*.c *.h *.H *.cats",
  cmake: "*.cmake CMakeLists.txt",
  config: "*.cfg *.conf *.config *.ini",
  cpp: "*.C *.cc *.cpp *.cxx *.c++ *.H *.h *.hh *.hpp *.hxx *.h++ *.inl",
  cs: "*.cs",
  csharp: "*.cs",
  css: "*.css *.scss",
  csv: "*.csv",
  dart: "*.dart",
  diff: "*.patch *.diff",
  docker: "*Dockerfile* *dockerfile*",
  elixir: "*.ex *.eex *.exs *.heex *.leex *.livemd",
  erlang: "*.erl *.hrl",
  fsharp: "*.fs *.fsx *.fsi",
  go: "*.go",
  gradle: "*.gradle *.gradle.kts gradle.properties gradle-wrapper.* gradlew gradlew.bat",
  graphql: "*.graphql *.graphqls",
  h: "*.h *.hh *.hpp",
  haskell: "*.hs *.lhs *.cpphs *.c2hs *.hsc",
  html: "*.htm *.html *.ejs",
  java: "*.java *.jsp *.jspx *.properties",
  js: "*.js *.jsx *.vue *.cjs *.mjs",
  json: "*.json composer.lock *.sarif",
  jsonl: "*.jsonl",
  julia: "*.jl",
  kotlin: "*.kt *.kts",
  less: "*.less",
  log: "*.log",
  lua: "*.lua",
  make: "[Gg][Nn][Uu]makefile [Mm]akefile [Mm]akefile.in [Mm]akefile.am *.mk *.mak Makefile.*",
  markdown: "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx",
  md: "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx",
  nix: "*.nix",
  ocaml: "*.ml *.mli *.mll *.mly",
  perl: "*.perl *.pl *.PL *.plh *.plx *.pm *.t",
  php: "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml",
  protobuf: "*.proto",
  ps: "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1",
  py: "*.py *.pyi",
  python: "*.py *.pyi",
  r: "*.R *.r *.Rmd *.rmd *.Rnw *.rnw",
  rst: "*.rst",
  ruby: "config.ru Gemfile .irbrc Rakefile *.gemspec *.rb *.rbw *.rake",
  rust: "*.rs",
  sass: "*.sass *.scss",
  scala: "*.scala *.sbt",
  sh:
    "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile " +
    ".bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login " +
    "bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc",
  sql: "*.sql *.psql",
  svelte: "*.svelte *.svelte.ts",
  svg: "*.svg",
  swift: "*.swift",
  tex: "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins",
  tf: "*.tf *.tf.json *.tfvars *.tfvars.json *.terraformrc terraform.rc",
  toml: "*.toml Cargo.lock",
  ts: "*.ts *.tsx *.cts *.mts",
  txt: "*.txt",
  typescript: "*.ts *.tsx *.cts *.mts",
  vue: "*.vue",
  xml: "*.xml *.xml.dist *.dtd *.xsl *.xslt *.xsd *.xjb *.rng *.sch *.xhtml",
  yaml: "*.yaml *.yml",
  zig: "*.zig",
};

/** @throws Failure `invalid_input` for a type that is not in the table, with the nearest that are */
function globsOfType(type: string): readonly string[] {
  if (Object.hasOwn(FILE_TYPES, type)) return FILE_TYPES[type]?.split(" ") ?? [];
  const candidates = nearestNames(type, Object.keys(FILE_TYPES), 3);
  throw new Failure("invalid_input", `Cannot search files of type ${JSON.stringify(type)}: there is no such type`, {
    hint: candidates.length
      ? `Did you mean ${candidates.join(", ")}? For anything else use include, for example ["*.${type.replace(/^\W+/, "")}"].`
      : `Use include instead, for example ["*.ext"].`,
    candidates,
  });
}
