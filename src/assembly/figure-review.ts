/** What operators decide on at a server: held figures of the lake, and live quotes that are refused. */

import type { openDaily } from "#assembly/daily/daily.ts";
import type { Live } from "#assembly/live/live.ts";
import { evidenceOf } from "#domain/acceptance/evidence.ts";
import type { FigureReview } from "#ports/figure-review.ts";

type Daily = Pick<Awaited<ReturnType<typeof openDaily>>, "holder" | "decide">;

export function figureReview({ holder, decide }: Daily, { operator }: Pick<Live, "operator">): FigureReview {
  return {
    held: () => {
      const history = holder.dataset()?.history ?? null;
      return holder.held().map((held) => evidenceOf(held, history, holder.statements()));
    },
    decide,
    refused: operator.refused,
    releases: operator.inForce,
    release: operator.release,
  };
}
