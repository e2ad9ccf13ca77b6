/**
 * The page as three texts: markup, script and style. The build bundles them once and embeds them in the executable; a program
 * that runs from source bundles them when the page is first wanted, so that both serve the very bytes of one recipe.
 */
import { fileURLToPath } from "node:url";

export interface PageAssets {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

declare const __RINGFENCE_PAGE__: PageAssets | undefined;

/** @throws Error with the messages of the bundler, from source only */
export async function pageAssets(): Promise<PageAssets> {
  return typeof __RINGFENCE_PAGE__ === "undefined" ? await bundlePage() : __RINGFENCE_PAGE__;
}

/** For the build, and for a program that runs from source. */
export async function bundlePage(): Promise<PageAssets> {
  const folder = fileURLToPath(new URL("./browser/", import.meta.url));
  const built = await Bun.build({
    entrypoints: [`${folder}main.tsx`],
    target: "browser",
    format: "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [script] = built.outputs;
  if (!built.success || !script)
    throw new Error(`Cannot bundle the page:\n${built.logs.map(({ message }) => message).join("\n")}`);
  const [html, style] = await Promise.all(
    ["index.html", "page.css"].map(async (name) => await Bun.file(folder + name).text()),
  );
  return { html: html ?? "", script: await script.text(), style: minified(style ?? "") };
}

/** Comments and indentation go; nothing in the style has blanks that mean something. */
function minified(style: string): string {
  return style
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}
