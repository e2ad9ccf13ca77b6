/**
 * A page as the tree that becomes Markdown. What Markdown has no signs for is put into words here: a cell is one line, so blocks in
 * it stand side by side; a table around code is there for line numbers, so the code stands alone; a power is written with `^`.
 *
 * Usual mistake: to join two texts that a screen shows apart.
 */
import type { toMdast } from "hast-util-to-mdast";
import { codeLines, ELEMENT_NODE, isGutter, languageOf, TEXT_NODE, type PageNode } from "./page-code.ts";

export type PageTree = Parameters<typeof toMdast>[0];
type TreeElement = Extract<PageTree, { readonly type: "element" }>;
type TreeNode = TreeElement["children"][number];

export function treeOf(page: PageNode): PageTree {
  return { type: "root", children: childrenOf(page) };
}

function childrenOf(parent: PageNode): TreeNode[] {
  const nodes = [...parent.childNodes];
  const children: TreeNode[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.nodeType === TEXT_NODE) add(children, [text(node.textContent ?? "")]);
    if (node.nodeType !== ELEMENT_NODE) continue;
    const script = SCRIPTS[node.localName];
    if (script) {
      const [before, after] = [lastSign(children.at(-1)), nodes[index + 1]?.textContent?.charAt(0) ?? ""];
      add(children, script(node, before, after));
    } else add(children, (ELEMENTS[node.localName] ?? plain)(node));
  }
  return children;
}

/** A page may say each sign by itself; what reads the tree looks at each of its texts with all that are beside it. */
function add(children: TreeNode[], more: readonly TreeNode[]): void {
  for (const node of more) {
    const last = children.at(-1);
    if (last?.type === "text" && node.type === "text") last.value += node.value;
    else children.push(node);
  }
}

const ELEMENTS: Readonly<Record<string, (node: PageNode) => readonly TreeNode[]>> = {
  a: (node) => {
    const children = childrenOf(node);
    const isLink = node.getAttribute("href") !== null && !children.every(isBlank);
    return isLink ? [element("a", inLine(children), propertiesOf(node))] : children;
  },
  audio: childrenOf,
  code: (node) => (isEmpty(node) ? [] : plain(node)),
  img: (node) => (node.getAttribute("src") === null ? [text(node.getAttribute("alt") ?? "")] : plain(node)),
  input: () => [],
  li: (node) => plain(node).filter((item) => !isBlank(item)),
  pre: (node) => {
    const code = codeLines(node).replace(/^\n/, "").trimEnd();
    return code.trim() === "" ? [] : [element("pre", [text(code)], { lang: languageOf(node) })];
  },
  table: (node) => tableOf(node),
  video: childrenOf,
};

function plain(node: PageNode): readonly TreeElement[] {
  return [element(node.localName, childrenOf(node), propertiesOf(node))];
}

const isEmpty = ({ textContent }: PageNode): boolean => (textContent ?? "").trim() === "";

function isBlank(node: TreeNode): boolean {
  if (node.type === "text") return node.value.trim() === "";
  return node.type === "element" && node.tagName !== "img" && node.children.every(isBlank);
}

/** A cell may say that it is as wide as it likes; the tables of people are not. */
const MAX_SPAN = 100;
const PROPERTIES = ["align", "alt", "href", "src", "start", "title"] as const;

function propertiesOf(node: PageNode): TreeElement["properties"] {
  const given = PROPERTIES.flatMap((name) => {
    const value = node.getAttribute(name);
    return value === null ? [] : [[name, value] as const];
  });
  const spans = (["colSpan", "rowSpan"] as const).flatMap((name) => {
    const span = Number.parseInt(node.getAttribute(name.toLowerCase()) ?? "", 10);
    return span > 1 ? [[name, Math.min(span, MAX_SPAN)] as const] : [];
  });
  return Object.fromEntries<string | number>([...given, ...spans]);
}

/** A number with a power is another number without it, and so is one with an index. Words that are only written higher stay words. */
const SCRIPTS: Readonly<Record<string, (node: PageNode, before: string, after: string) => readonly TreeNode[]>> = {
  sup: (node, before, after) => {
    const said = scriptIn(node, before);
    if (said === undefined || /^(?:st|nd|rd|th|tm|sm|\W*)$/i.test(said)) return childrenOf(node);
    return [text(`^${grouped(said, after)}`)];
  },
  sub: (node, before, after) => {
    const said = scriptIn(node, before);
    if (said === undefined || (/[a-z)\]]/i.test(before) && /^\d+$/.test(said) && !/\d/.test(after)))
      return childrenOf(node);
    return [text(`_${grouped(said, after)}`)];
  },
};

/** What stands above or below something; `undefined` for a reference and for what stands alone. */
function scriptIn(node: PageNode, before: string): string | undefined {
  const said = (node.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  return said === "" || !/[\p{L}\p{N})\]]/u.test(before) || isReference(node) ? undefined : said;
}

function isReference({ childNodes }: PageNode): boolean {
  return [...childNodes].some((node) => node.localName === "a" || isReference(node));
}

function grouped(said: string, after: string): string {
  return /^[-+\u2212]?[\w.]+$/.test(said) && !/\w/.test(after) ? said : `(${said})`;
}

interface Row {
  readonly cells: readonly PageNode[];
  readonly hasGutter: boolean;
}

/** Code of several lines, which no cell of Markdown can hold, stands between the rows before and those after it. */
function tableOf(table: PageNode): readonly TreeNode[] {
  const rows = [...table.querySelectorAll("tr")].filter((row) => row.closest("table") === table).map(rowOf);
  const caption = [...table.childNodes].find(({ localName }) => localName === "caption");
  const above = caption ? [element("p", childrenOf(caption))] : [];
  const hasCode = table.querySelector("pre") !== null;
  if (!hasCode && rows.length > 0 && rows.every(({ cells, hasGutter }) => hasGutter && cells.length === 1)) {
    const lines = rows.flatMap(({ cells }) => cells).map((cell) => codeLines(cell).replace(/\n$/, ""));
    return [...above, element("pre", [text(lines.join("\n"))])];
  }
  const parts: TreeElement[] = [];
  for (const { cells } of rows) {
    if (hasCode && cells.some(hasBlock)) parts.push(...cells.map((cell) => element("div", childrenOf(cell))));
    else {
      if (parts.at(-1)?.tagName !== "table") parts.push(element("table", []));
      parts.at(-1)?.children.push(element("tr", cells.map(cellOf)));
    }
  }
  return [...above, ...parts];
}

function rowOf(row: PageNode): Row {
  const all = [...row.childNodes].filter(({ localName }) => localName === "td" || localName === "th");
  const cells = all.filter((cell) => !isGutter(cell) && !isNumbering(cell, all));
  return { cells, hasGutter: cells.length < all.length };
}

/** Numbers in lines of their own beside code. */
function isNumbering(cell: PageNode, all: readonly PageNode[]): boolean {
  if (cell.querySelector("pre") === null || !/^[\s\d]*$/.test(cell.textContent ?? "")) return false;
  return all.some((other) => other !== cell && other.querySelector("pre") !== null);
}

/** Code of several lines, which no cell of Markdown can hold. */
function hasBlock(cell: PageNode): boolean {
  return [...cell.querySelectorAll("pre")].some((pre) => !isGutter(pre) && codeLines(pre).trim().includes("\n"));
}

function cellOf(cell: PageNode): TreeElement {
  return element(cell.localName, inLine(childrenOf(cell)), propertiesOf(cell));
}

const IN_LINE: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rb rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);

function inLine(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node): TreeNode[] => {
    if (node.type !== "element") return [node];
    if (node.tagName === "pre") return [text(" "), element("code", node.children), text(" ")];
    const children = inLine(node.children);
    if (IN_LINE.has(node.tagName)) return [{ ...node, children }];
    const [first] = children;
    return first?.type === "text" && first.value === " " ? children : [text(" "), ...children, text(" ")];
  });
}

function element(
  tagName: string,
  children: TreeElement["children"],
  properties: TreeElement["properties"] = {},
): TreeElement {
  return { type: "element", tagName, properties, children };
}

function text(value: string): Extract<TreeNode, { readonly type: "text" }> {
  return { type: "text", value };
}

function lastSign(node: TreeNode | undefined): string {
  if (node?.type === "text") return node.value.slice(-1);
  return node?.type === "element" ? lastSign(node.children.at(-1)) : "";
}
