/** Reads the Markdown of a guide: sections with heading, anchor and plain text; links rewritten for serving. */

import type { Guide } from "./guide.ts";

export interface Section {
  readonly heading: string;
  /** As GitHub makes it, unique on the page. */
  readonly anchor: string;
  /** 1 for the title of the page, 2 for its parts, up to 6. */
  readonly depth: number;
  /** Plain text, a paragraph, list item, table row or line of code a line; without the sections below it. */
  readonly lines: readonly string[];
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^(#{1,6}) +(.+?)(?: +#+)?$/;
/** A line that begins a block: a list item, a table row, a quotation. */
const BLOCK = /^\s*(?:[-*+] |\d+[.)] |\||>)/;
const TABLE_RULE = /^\|[\s|:-]+\|$/;

/** Sections in order; text before the first heading belongs to none. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: (Section & { readonly lines: string[] })[] = [];
  const anchorOf = newAnchors();
  let isCode = false;
  let isOpen = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) {
      isCode = !isCode;
      isOpen = false;
      continue;
    }
    const [, marks = "", heading] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (heading !== undefined) {
      const text = plainText(heading);
      sections.push({ heading: text, anchor: anchorOf(text), depth: marks.length, lines: [] });
      isOpen = false;
      continue;
    }
    const lines = sections.at(-1)?.lines;
    if (lines === undefined) continue;
    const text = isCode ? line.trim() : plainText(line);
    if (text === "" || TABLE_RULE.test(line)) isOpen = false;
    else if (isOpen && !isCode && !BLOCK.test(line)) lines.push(`${lines.pop()} ${text}`);
    else {
      lines.push(text);
      isOpen = true;
    }
  }
  return sections;
}

/** Makes the fragment of one heading after another, as GitHub does: the second of a name is "name-1". */
function newAnchors(): (heading: string) => string {
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

/** A line without the marks of links, emphasis, code, tables and lists. */
function plainText(line: string): string {
  return line
    .replace(/^\s*(?:[-*+] |>)\s*/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(^|[^\w*])\*([^*\s][^*]*)\*(?!\w)/g, "$1$2")
    .replace(/^\||\|$/g, "")
    .replace(/(?<!\\)\|/g, "·")
    .replace(/\\([|_*`])/g, "$1")
    .replaceAll("`", "")
    .replace(/\s+/g, " ")
    .trim();
}

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^(?:[a-z]+:|\/|#)/;

/**
 * The Markdown with its links to other guides replaced by their `addressOf`. Of a link to a file that is not served the text stays. Code,
 * and links with a scheme, a path from the root or only a fragment stay as they are.
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
