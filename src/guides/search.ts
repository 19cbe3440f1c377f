/** Full-text search over the sections of the guides. */

import { type Guide, type Section, sectionsOf } from "./sections.ts";

const LONGEST_QUERY = 200;
const MOST_WORDS = 16;
const MOST_HITS = 50;
const LONGEST_EXCERPT = 240;
const NAME = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu;

interface Entry extends Section {
  readonly id: number;
  readonly guide: Guide;
}

const STOP_WORDS = new Set(
  (
    "a an and are as at be by can could do does for from get has have how i if in into is it its me my of on or " +
    "should so than that the their then there these they this to use using was we what when where which who why will with you your"
  ).split(" "),
);

/**
 * The search returns the best sections for a query, one per heading, best first. It reads the first 200 characters and 16 words of a
 * query. `limit` is clamped to 1 to 50. The index takes about 11 MB and is built at the first search.
 */
export function openSearch(guides: readonly Guide[]) {
  let built: ReturnType<typeof buildIndex> | null = null;
  return async (query: string, limit: number) => {
    built ??= buildIndex(guides);
    const { entries, index } = await built;
    const bounded = query.slice(0, LONGEST_QUERY).trim().split(/\s+/).slice(0, MOST_WORDS).join(" ");
    const most = Math.min(Math.max(1, Math.trunc(limit) || 1), MOST_HITS);
    return index
      .search(bounded)
      .slice(0, most)
      .map(({ id, score, queryTerms, terms }) =>
        hitOf(entries[id] as Entry, score, [...queryTerms, ...terms]),
      );
  };
}

/** Indexes one guide per turn of the event loop: all guides together take a third of a second. */
async function buildIndex(guides: readonly Guide[]) {
  const { default: MiniSearch } = await import("minisearch");
  const entries: Entry[] = [];
  const index = new MiniSearch<Entry>({
    fields: ["heading", "title", "summary", "text"],
    extractField: (entry, field) => {
      if (field === "id") return entry.id;
      if (field === "title") return entry.guide.title;
      if (field === "heading") return entry.heading;
      if (field === "text") return entry.lines.join("\n");
      // A page's summary is searched once, in the page's first section.
      return entry.heading === entry.guide.title ? entry.guide.summary : "";
    },
    tokenize: wordsOf,
    processTerm: normalized,
    searchOptions: {
      boost: { heading: 4, title: 1.5, summary: 1.5 },
      prefix: (term, at, terms) => at === terms.length - 1 && term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  for (const guide of guides) {
    await new Promise((resolve) => setImmediate(resolve));
    const first = entries.length;
    for (const section of sectionsOf(guide.markdown)) entries.push({ ...section, id: entries.length, guide });
    index.addAll(entries.slice(first));
  }
  return { entries, index };
}

/** The words of a text. A name such as `quota_exceeded` or `X-RateLimit-Reset` gives the whole name and its parts. */
function wordsOf(text: string): string[] {
  return (text.match(NAME) ?? []).flatMap((name) => {
    const parts = name.split(/[_-]+/).filter((part) => part !== "");
    return parts.length > 1 ? [name, ...parts] : parts;
  });
}

/** A word as it is indexed and searched: lower case, without its most usual endings; null for a stop word. */
function normalized(word: string): string | null {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  return lower
    .replace(/ies$/, "y")
    .replace(/(?<=..[^su])s$/, "")
    .replace(/(?<=....)(?:ed|ing)$/, "")
    .replace(/(?<=....)e$/, "");
}

/** `excerpt` is plain text of the section, at most 240 characters; a greater `score` is better within one answer. */
function hitOf(entry: Entry, score: number, words: readonly string[]) {
  const { guide, heading, anchor } = entry;
  return { slug: guide.slug, title: guide.title, heading, anchor, excerpt: excerptOf(entry, words), score };
}

/** The text from the line with the most query words that the heading lacks; cut between words. */
function excerptOf({ lines, guide, heading }: Entry, words: readonly string[]): string {
  const said = new Set(wordsOf(heading).map(normalized));
  const missing = words.filter((word) => !said.has(word));
  let best = 0;
  let most = 0;
  for (const [at, line] of lines.entries()) {
    const present = new Set(wordsOf(line).map(normalized));
    const count = missing.filter((word) => present.has(word)).length;
    if (count > most) [best, most] = [at, count];
  }
  return cut(lines.slice(best).join(" ") || guide.summary);
}

function cut(text: string): string {
  if (text.length <= LONGEST_EXCERPT) return text;
  const head = text.slice(0, LONGEST_EXCERPT - 1);
  const end = head.lastIndexOf(" ");
  return `${head.slice(0, end > 0 ? end : undefined).replace(/[\s.,;:·(]+$/, "")}…`;
}
