/** Lists that come in pages, one page after the other. */

interface Page {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Every page from the one at `cursor`, or the first; the next is fetched when it is asked for. */
export async function* pagesOf<P extends Page>(
  fetchPage: (cursor: string | undefined) => Promise<P>,
  cursor: string | undefined,
): AsyncGenerator<P, void, undefined> {
  let next = cursor;
  for (;;) {
    const page = await fetchPage(next);
    yield page;
    if (!page.has_more || page.next_cursor === null) return;
    next = page.next_cursor;
  }
}
