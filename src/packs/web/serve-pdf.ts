/**
 * The text of a PDF, page by page. A document that takes too long is ended by the limits of its process. A page that cannot be read,
 * or that has no text, is said to be so and leaves the others as they are.
 */
import { getDocumentProxy } from "unpdf";
import { Failure } from "../../base/index.ts";
import { MAX_PAGE_CHARS } from "./page-read.ts";

const MAX_PAGES = 2000;

/** @throws Failure `command_failed` for what is no PDF but begins like one */
export async function readPdf(
  bytes: Uint8Array,
): Promise<{ readonly title: string; readonly text: string; readonly notes: readonly string[] }> {
  try {
    const maps = new Set<string>();
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      BinaryDataFactory: noDataBut(maps),
      useWorkerFetch: false,
    });
    const { info } = (await document.getMetadata()) as { info?: { Title?: unknown } };
    const pages: string[] = [];
    const empty: number[] = [];
    const broken: number[] = [];
    let size = 0;
    const last = Math.min(document.numPages, MAX_PAGES);
    for (let number = 1; number <= last && size < MAX_PAGE_CHARS; number++) {
      const text = await textOfPage(async () => await document.getPage(number));
      pages.push(`## Page ${number}\n\n${text ?? "[It cannot be read.]"}`);
      if (text === undefined) broken.push(number);
      else if (text === "") empty.push(number);
      size += text?.length ?? 0;
    }
    return {
      title: typeof info?.Title === "string" ? info.Title : "",
      text: pages.join("\n\n"),
      notes: [
        ...(pages.length < document.numPages ? [`${pages.length} of ${document.numPages} pages are shown`] : []),
        ...(broken.length > 0 ? [`${pagesIn(broken)} cannot be read`] : []),
        ...(empty.length > 0
          ? [`${pagesIn(empty)} without text${maps.size === 0 ? ", which may be a scan" : ""}`]
          : []),
        ...(maps.size > 0
          ? [`Text in fonts with the encoding ${namesIn(maps)} is left out, for it cannot be read`]
          : []),
      ],
    };
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const why = thrown instanceof Error ? thrown.message.slice(0, 100) : "";
    throw new Failure("command_failed", `Cannot read the PDF: ${why || "it is broken"}`, {
      hint: "save_to writes it to a file, for another program.",
    });
  }
}

/** Fonts of Chinese, Japanese and Korean may name an encoding that a reader is to have, a megabyte of them, which this program has not. */
function noDataBut(maps: Set<string>): object {
  return class {
    fetch = async ({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<never> => {
      if (kind === "cMapUrl") maps.add(filename.replace(/\.bcmap$/, ""));
      return await Promise.reject(new Error("it is not there"));
    };
  };
}

const MAX_NAMED = 5;

function namesIn(maps: ReadonlySet<string>): string {
  return [...maps]
    .slice(0, MAX_NAMED)
    .map((name) => name.replaceAll(/[^\w-]/g, "?").slice(0, 40))
    .join(", ");
}

function pagesIn(numbers: readonly number[]): string {
  const more = numbers.length - MAX_NAMED;
  const named = numbers.slice(0, MAX_NAMED).join(", ");
  return `${numbers.length === 1 ? "Page" : "Pages"} ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly object[] }>;
}

/** `undefined` for a page that is broken. */
async function textOfPage(open: () => Promise<PdfPage>): Promise<string | undefined> {
  try {
    const { items } = await (await open()).getTextContent();
    const parts = items.map((item) => {
      const { str = "", hasEOL = false } = item as { str?: string; hasEOL?: boolean };
      return hasEOL ? `${str}\n` : str;
    });
    return parts.join("").trim();
  } catch {
    return undefined;
  }
}
