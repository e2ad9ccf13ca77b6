/**
 * The page as three texts: markup, script and style. The build bundles them once and embeds them in the executable; a program
 * that runs from source bundles them when the page is first wanted, so that both serve the very bytes of one recipe.
 */
import { fileURLToPath } from "node:url";

export interface PageAssets {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** The view in clients that show MCP Apps: one document, with all of it inside. */
  readonly clientView: string;
}

declare const __RINGFENCE_PAGE__: PageAssets | undefined;

/** @throws Error with the messages of the bundler, from source only */
export async function pageAssets(): Promise<PageAssets> {
  return typeof __RINGFENCE_PAGE__ === "undefined" ? await bundlePage() : __RINGFENCE_PAGE__;
}

/** For the build, and for a program that runs from source. */
export async function bundlePage(): Promise<PageAssets> {
  const folder = fileURLToPath(new URL("./browser/", import.meta.url));
  const [html, style, viewStyle] = await Promise.all(
    ["index.html", "page.css", "client-view/client-view.css"].map(async (name) => await Bun.file(folder + name).text()),
  );
  return {
    html: html ?? "",
    script: await bundle(`${folder}main.tsx`),
    style: minified(style ?? ""),
    clientView: viewDocument(await bundle(`${folder}client-view/main.tsx`), minified(viewStyle ?? "")),
  };
}

async function bundle(entry: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    format: "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [script] = built.outputs;
  if (!built.success || !script)
    throw new Error(`Cannot bundle the page:\n${built.logs.map(({ message }) => message).join("\n")}`);
  return await script.text();
}

/**
 * The document says itself what it may do, whatever the client around it allows: its own script and style by their digests, and
 * nothing from anywhere.
 */
function viewDocument(script: string, style: string): string {
  // The bundler leaves the end of a script element in a string as it is.
  const safe = script.replaceAll("</script", String.raw`<\/script`);
  const policy = [
    "default-src 'none'",
    `script-src ${digestOf(safe)}`,
    `style-src ${digestOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width"><title>Proposed change</title><style>${style}</style></head>`,
    `<body></body><script type="module">${safe}</script>`,
    "</html>",
  ].join("\n");
}

function digestOf(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}

/** Comments and indentation go; nothing in the style has blanks that mean something. */
function minified(style: string): string {
  return style
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}
