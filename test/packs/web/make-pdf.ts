/**
 * A small PDF by hand: a page for each text, and as many objects besides that nobody uses.
 */
export function makePdf(texts: readonly string[], more = 0): Uint8Array {
  const objects: string[] = [];
  const kids = texts.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  objects.push("<< /Type /Catalog /Pages 2 0 R >>");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [at, text] of texts.entries()) {
    const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  for (let at = 0; at < more; at++) objects.push("1");
  const parts = ["%PDF-1.4\n"];
  const offsets: number[] = [];
  let size = parts[0]?.length ?? 0;
  for (const [at, body] of objects.entries()) {
    offsets.push(size);
    const part = `${at + 1} 0 obj\n${body}\nendobj\n`;
    parts.push(part);
    size += part.length;
  }
  // Without the table of objects a reader has to look for them, which is what an attacker would want.
  const table = more > 0 ? [] : offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const xref = `xref\n0 ${table.length + 1}\n0000000000 65535 f \n${table.join("")}`;
  parts.push(
    xref,
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${more > 0 ? 0 : size}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(""), "latin1");
}
