/** Lists as the API gives them: newest first, by page, after or before an object. */

import { noSuch } from "./refusal.ts";

export const PAGE_SHAPE = {
  limit: "integer",
  starting_after: "text",
  ending_before: "text",
  created: "range",
} as const;

export interface Page {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
  readonly created?: {
    readonly gt?: number;
    readonly gte?: number;
    readonly lt?: number;
    readonly lte?: number;
  };
}

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** `oldestFirst` is in the order in which the objects came about. */
export function listOf(url: string, oldestFirst: readonly Listed[], page: Page): object {
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = page.created ?? {};
  const all = oldestFirst
    .filter(({ created }) => created > gt && created >= gte && created < lt && created <= lte)
    .toReversed();
  const limit = Math.min(Math.max(page.limit ?? 10, 1), 100);
  if (page.ending_before !== undefined) {
    const end = position(all, page.ending_before, "ending_before");
    const start = Math.max(0, end - limit);
    return { object: "list", data: all.slice(start, end), has_more: start > 0, url };
  }
  const start =
    page.starting_after === undefined ? 0 : position(all, page.starting_after, "starting_after") + 1;
  const data = all.slice(start, start + limit);
  return { object: "list", data, has_more: start + limit < all.length, url };
}

function position(all: readonly Listed[], id: string, param: string): number {
  const found = all.findIndex((object) => object.id === id);
  if (found < 0) throw noSuch("object", id, param);
  return found;
}
