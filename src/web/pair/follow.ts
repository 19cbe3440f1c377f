/** Keeps the rate of a pair up to date: on an event of the stream it loads the rate again, with its inverse. */

import type { Renewal } from "#web/provenance/load.ts";
import { NO_SERVER } from "#web/shared/away.tsx";
import { openStream, type RateEvent, readRateEvent, readRefusal } from "#web/shared/stream.ts";
import type { PairNow } from "./pair-data.ts";

export interface PairPage {
  /** The provenance of the rate of now, to be shown with it. */
  renewal(): Promise<Renewal | null>;
  show(pair: PairNow): void;
  /** Nulls: the figures are current. */
  markOld(reason: string | null, since: number | null): void;
  /** Figures that were out of date are current again. */
  renewed(): void;
}

const AGAIN_MILLISECONDS = 5000;
/** Between looks for a latest rate, where there is none yet. */
const WAITING_MILLISECONDS = 30_000;
/** The rate may move between the two answers of one attempt. */
const MOST_ATTEMPTS = 5;

export function followPair(first: PairNow, page: PairPage): void {
  const { base, quote } = first;
  let shown = first;
  let asked = 0;
  /** Until when the figures were current; null while they are. */
  let since: number | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;

  const markOld = (reason: string, heardAt: number) => {
    since ??= heardAt;
    page.markOld(reason, since);
  };
  const load = async (attempt = 0): Promise<void> => {
    clearTimeout(again);
    asked += 1;
    const mine = asked;
    const askedAt = Date.now();
    const [pair, renewal] = await Promise.all([pairOf(base, quote), page.renewal()]);
    // A later question has been asked: only its answer counts.
    if (mine !== asked) return;
    if (pair === null) {
      if (since === null) markOld("The rate could not be loaded", askedAt);
      again = setTimeout(() => void load(), AGAIN_MILLISECONDS);
      return;
    }
    const isOfAnother = renewal !== null && renewal.rate !== null && renewal.rate !== pair.rate;
    if (isOfAnother && attempt < MOST_ATTEMPTS) return load(attempt + 1);
    // Both at once: the number and what explains it are never of two rates.
    shown = pair;
    page.show(pair);
    renewal?.show();
    if (since === null) return;
    since = null;
    page.markOld(null, null);
    page.renewed();
  };
  /** A stream has latest rates alone. */
  const follow = (): void => {
    if (shown.isLatest) stream();
    else setTimeout(() => void load().then(follow), WAITING_MILLISECONDS);
  };
  const stream = () =>
    openStream(`/site/stream?base=${base}&symbols=${quote}`, {
      event: (name, text) => {
        // Where the server began without a latest rate, the figure is as old as its day.
        const current = shown.isStale ? Date.parse(shown.effectiveAt) : Date.now();
        if (name === "unavailable") markOld(readRefusal(text), current);
        else if (since !== null || hasMoved(shown, readRateEvent(text))) void load();
      },
      lost: (heardAt) => markOld(NO_SERVER, heardAt),
      back: () => void load(),
    });
  follow();
}

async function pairOf(base: string, quote: string): Promise<PairNow | null> {
  const answer = await fetch(`/site/pair/${base}/${quote}`).catch(() => null);
  return answer?.ok === true ? ((await answer.json().catch(() => null)) as PairNow | null) : null;
}

/** Whether the event says anything else of the pair than what is shown. */
function hasMoved({ quote, rate, effectiveAt, isStale, source }: PairNow, event: RateEvent): boolean {
  const now = [event.digits[quote], event.effective_at[quote], event.stale[quote], event.sources[quote]];
  return now.some((value, at) => value !== undefined && value !== [rate, effectiveAt, isStale, source][at]);
}
