/**
 * The text of a PDF, page by page. A document that takes too long is ended by the limits of its process.
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
    const document = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true });
    const { info } = (await document.getMetadata()) as { info?: { Title?: unknown } };
    const pages: string[] = [];
    let size = 0;
    const last = Math.min(document.numPages, MAX_PAGES);
    for (let number = 1; number <= last && size < MAX_PAGE_CHARS; number++) {
      const text = await textOfPage(await document.getPage(number));
      pages.push(`## Page ${number}\n\n${text}`);
      size += text.length;
    }
    const isCut = pages.length < document.numPages;
    return {
      title: typeof info?.Title === "string" ? info.Title : "",
      text: pages.join("\n\n"),
      notes: isCut ? [`${pages.length} of ${document.numPages} pages are shown`] : [],
    };
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const why = thrown instanceof Error ? thrown.message.slice(0, 100) : "";
    throw new Failure("command_failed", `Cannot read the PDF: ${why || "it is broken"}`);
  }
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly object[] }>;
}

async function textOfPage(page: PdfPage): Promise<string> {
  const { items } = await page.getTextContent();
  const parts = items.map((item) => {
    const { str = "", hasEOL = false } = item as { str?: string; hasEOL?: boolean };
    return hasEOL ? `${str}\n` : str;
  });
  return parts.join("").trim();
}
