/**
 * A page as Markdown, for a reader that sees its signs: an address as the page has it, no reference of HTML in the place of a sign,
 * and tables that are not filled up with blanks.
 */
import { toMdast } from "hast-util-to-mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown, type Handle, type Options } from "mdast-util-to-markdown";
import type { PageNode } from "./page-code.ts";
import { treeOf } from "./page-tree.ts";

type ToMdast = NonNullable<NonNullable<Parameters<typeof toMdast>[1]>["handlers"]>[string];

export function markdownOf(page: PageNode): string {
  const tree = toMdast(treeOf(page), { document: true, handlers: { pre: codeBlock } });
  return toMarkdown(tree, OPTIONS).trim();
}

const codeBlock: ToMdast = (_state, { properties, children: [first] }) => ({
  type: "code",
  lang: typeof properties["lang"] === "string" ? properties["lang"] : null,
  value: first?.type === "text" ? first.value : "",
});

const link: Handle = (node: Linked, _parent, state, info) => {
  const label = state.containerPhrasing(node as never, { ...info, before: "[", after: "]" }).trim();
  if (label === "") return "";
  return node.url === textOf(node) ? `<${node.url}>` : `[${label}](${targetOf(node)})`;
};

const image: Handle = (node: Linked, _parent, state, info) =>
  `![${state.safe(node.alt ?? "", { ...info, before: "[", after: "]" })}](${targetOf(node)})`;

interface Linked {
  readonly url: string;
  readonly title?: string | null;
  readonly alt?: string | null;
  readonly children?: readonly { readonly type: string; readonly value?: string }[];
}

function textOf({ children = [] }: Linked): string {
  return children.length === 1 && children[0]?.type === "text" ? (children[0].value ?? "") : "";
}

/** The address as it is, which needs a fence only where its brackets do not match. */
function targetOf({ url, title }: Linked): string {
  let depth = 0;
  for (const sign of url) {
    if (sign === "(") depth++;
    if (sign === ")" && --depth < 0) break;
  }
  const target = depth === 0 && !/\s/.test(url) ? url : `<${url}>`;
  const named = (title ?? "").replaceAll(/\s+/g, " ").trim();
  return named === "" ? target : `${target} "${named.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Words between two signs. Blanks at their ends stand outside, where Markdown wants them. */
function between(sign: string, inWord = sign): Handle {
  const handle: Handle = (node, _parent, state, info) => {
    const mark = /\w/.test(info.before + info.after) ? inWord : sign;
    const inner = state.containerPhrasing(node as never, { ...info, before: mark, after: mark });
    const words = inner.trim();
    if (words === "" || (words.startsWith(mark) && words.endsWith(mark))) return inner;
    const start = inner.indexOf(words);
    return inner.slice(0, start) + mark + words + mark + inner.slice(start + words.length);
  };
  return Object.assign(handle, { peek: () => sign.charAt(0) });
}

const peekOf = (handle: Handle, sign: string): Handle => Object.assign(handle, { peek: () => sign });

const OPTIONS: Options = {
  bullet: "*",
  rule: "-",
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false }),
    {
      handlers: {
        break: () => "\n",
        delete: between("~~"),
        emphasis: between("_", "*"),
        image: peekOf(image, "!"),
        link: peekOf(link, "["),
        strong: between("**"),
      },
    },
  ],
};
