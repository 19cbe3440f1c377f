/** The types of a guide and of a search result. */

export interface Guide {
  /** File name in `docs` without its ending: unique, and good in a URL. */
  readonly slug: string;
  /** The page's first heading, as plain text. */
  readonly title: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /** Part of the table of contents. */
  readonly group: string;
  /** The whole page. Its relative links are those of the `docs` folder. */
  readonly markdown: string;
}

/** A section of a guide that answers a query. */
export interface GuideHit {
  readonly slug: string;
  readonly title: string;
  readonly heading: string;
  /** Fragment of the section, as GitHub makes it: `limits.md#headers`. */
  readonly anchor: string;
  /** Plain text of the section around the match, at most 240 characters. */
  readonly excerpt: string;
  /** Greater is better; comparable within one answer only. */
  readonly score: number;
}
