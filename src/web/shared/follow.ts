/** Keeps the figures of an open page current: the stream says when to load the page again, and a failed load marks them as old. */

import { NO_SERVER } from "./away.tsx";

export interface Followed {
  /** Loads the page again. Resolves with a function that shows its figures, or with the reason why there are none. */
  load(): Promise<(() => void) | string>;
  /** Says why the figures are out of date, and how old they are in milliseconds. Nulls: they are current again. */
  markOld(reason: string | null, age: number | null): void;
}

/** The wait between loads while the stream is silent: its connection may be dead. */
const LOOK_MILLISECONDS = 30_000;
const AGAIN_MILLISECONDS = 5_000;
const PATIENCE_MILLISECONDS = 10_000;

/** Follows a stream. A hidden page closes its connection: a browser has six to a server. The returned function loads the page now. */
export function follow(stream: string, page: Followed): () => Promise<void> {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isDue = false;
  let currentAt = Date.now();
  let since: number | null = null;

  const hush = () => {
    source?.close();
    source = null;
  };
  const listen = () => {
    // The next load connects a refused stream again; the browser itself reconnects one that breaks off.
    if (source !== null && source.readyState !== EventSource.CLOSED) return;
    const made = new EventSource(stream);
    for (const name of ["snapshot", "rates", "unavailable"]) made.addEventListener(name, look);
    source = made;
  };
  /** Adds a random delay: pages must not all return to a server at the same moment. */
  const lookIn = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(look, milliseconds * (1 + Math.random() / 4));
  };
  const look = async (): Promise<void> => {
    isDue = isLoading;
    if (isLoading) return;
    if (document.hidden) return hush();
    isLoading = true;
    const askedAt = Date.now();
    const loaded = await page.load();
    isLoading = false;
    if (typeof loaded === "string") {
      hush();
      since ??= currentAt;
      page.markOld(loaded, Math.max(0, Date.now() - since));
      return lookIn(AGAIN_MILLISECONDS);
    }
    currentAt = askedAt;
    loaded();
    if (since !== null) page.markOld(null, null);
    since = null;
    listen();
    if (isDue) return look();
    lookIn(LOOK_MILLISECONDS);
  };
  document.addEventListener("visibilitychange", look);
  listen();
  lookIn(LOOK_MILLISECONDS);
  return look;
}

/** Loads a page of this site, or resolves with the reason why it cannot. */
export async function loadPage(address: string): Promise<Document | string> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MILLISECONDS);
  const asked = { headers: { Accept: "text/html" }, signal: patience.signal };
  const answer = await fetch(address, asked).catch(() => null);
  const html = await answer?.text().catch(() => null);
  clearTimeout(timer);
  if (answer === null || html == null) return NO_SERVER;
  const page = new DOMParser().parseFromString(html, "text/html");
  return answer.ok ? page : (page.querySelector(".lead")?.textContent?.replace(/\.$/, "") ?? NO_SERVER);
}

/** The page's data for its script; null without data. */
export function dataOf<Data>(page: Document, id: string): Data | null {
  return JSON.parse(page.getElementById(id)?.textContent ?? "null") as Data | null;
}
