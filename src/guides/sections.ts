/** Reads the Markdown of a guide: sections with heading, anchor and plain text; links rewritten for serving. */

import { marked, type Token, type Tokens } from "marked";

export interface Guide {
  /** File name in `docs` without its ending: unique, and good in a URL. */
  readonly slug: string;
  /** The first heading of the page, as plain text. */
  readonly title: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /** Part of the table of contents. */
  readonly group: string;
  /** The whole page. Its relative links are those of the `docs` folder. */
  readonly markdown: string;
}

export interface Section {
  readonly heading: string;
  /** As GitHub makes it, unique on the page. */
  readonly anchor: string;
  /** 1 for the title of the page, 2 for its parts, up to 6. */
  readonly depth: number;
  /** Plain text: a line per paragraph, list item, table row or line of code. Subsections are not included. */
  readonly lines: readonly string[];
}

/** Sections in order; text before the first heading belongs to none. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: (Section & { readonly lines: string[] })[] = [];
  const anchorOf = newAnchors();
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading") {
      const heading = textOf(token);
      sections.push({ heading, anchor: anchorOf(heading), depth: token["depth"], lines: [] });
    } else sections.at(-1)?.lines.push(...linesOf(token));
  }
  return sections;
}

function linesOf(token: Token): string[] {
  if (token.type === "list")
    return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(linesOf));
  const { header, rows = [] } = token as Partial<Tokens.Table>;
  const lines =
    header !== undefined
      ? [header, ...rows].map((cells) => cells.map(textOf).join(" · "))
      : token.type === "code"
        ? token["text"].split("\n")
        : [textOf(token)];
  return lines.map((line: string) => line.trim()).filter(Boolean);
}

/** Plain text, without the marks of links, emphasis and code. */
export function textOf(token: Partial<Pick<Tokens.Paragraph, "text" | "tokens" | "raw">>): string {
  const text = token.tokens?.map(textOf).join("") ?? token.text ?? token.raw ?? "";
  return text.replace(/\s+/g, " ");
}

/** Returns a function for the headings of a page in order. It makes fragments as GitHub does: the second "Name" becomes "name-1". */
export function newAnchors(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = base;
    while (taken.has(anchor)) {
      const next = (taken.get(base) ?? 0) + 1;
      taken.set(base, next);
      anchor = `${base}-${next}`;
    }
    taken.set(anchor, 0);
    return anchor;
  };
}

const FENCE = /^\s*(```|~~~)/;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^(?:[a-z]+:|\/|#)/;

/**
 * The Markdown with links to other guides replaced by their `addressOf`. A link to a file that is not served becomes its text. Code stays
 * as it is, and so do links with a scheme, with a path from the root or with only a fragment.
 */
export function withServedLinks(
  markdown: string,
  pages: readonly Pick<Guide, "slug">[],
  addressOf: (slug: string) => string,
): string {
  let isCode = false;
  const lines = markdown.split("\n").map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) return line;
    return line.replace(LINK, (link, text: string, target: string) => {
      if (ELSEWHERE.test(target)) return link;
      const [file = "", fragment] = target.split("#");
      const slug = file.replace(/\.md$/, "");
      if (!pages.some((page) => page.slug === slug)) return text;
      return `[${text}](${addressOf(slug)}${fragment === undefined ? "" : `#${fragment}`})`;
    });
  });
  return lines.join("\n");
}
