/** GET /preview.png and /preview/{base}-{quote}.png: preview pictures for links. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { CURRENCIES, type CurrencyIndex, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { formatDay } from "#domain/time/day.ts";
import { type Meter, ONE_CALL } from "#http/request/metering.ts";
import type { Route } from "#http/request/route.ts";
import { etagOf } from "#http/response/conditions.ts";
import { pathOf } from "#http/response/failures.ts";
import { respond } from "#http/response/respond.ts";
import { type PairHistoryDeps, pairHistory } from "#rates/pair-history.ts";
import { openPainter } from "#web/preview/paint.ts";
import { type PairPicture, pictureSvg } from "#web/preview/picture.tsx";

export interface PreviewDeps extends PairHistoryDeps {
  readonly simulated: boolean;
  readonly caches: CacheBudget;
}

const FILE = /^([a-z]{3})-([a-z]{3})\.png$/;
const YEAR_DAYS = 366;
/** Pictures are asked for by programs that have time; more at once are refused. */
const MOST_WAITING = 16;
const CACHE_CONTROL = "public, max-age=3600";

interface Picture {
  /** What it shows: another text is another picture. */
  readonly svg: string;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export function previewRoutes(deps: PreviewDeps, meter: Meter): Route[] {
  const painter = openPainter();
  const pictures = deps.caches.cache<string, Picture>("previews", { share: 0.2 });
  const underWay = new Map<string, Promise<Picture>>();
  const make = async (name: string, svg: string): Promise<Picture> => {
    const png = await painter.paint(svg);
    const picture = { svg, png, etag: etagOf(png) };
    pictures.set(name, picture, png.byteLength + svg.length);
    return picture;
  };
  const pictureOf = (name: string, svg: string): Promise<Picture> => {
    const known = pictures.get(name);
    if (known?.svg === svg) return Promise.resolve(known);
    const begun = underWay.get(svg);
    if (begun !== undefined) return begun;
    if (underWay.size >= MOST_WAITING) {
      throw new Failure("service_unavailable", {
        reason: "other pictures are being made: try again in a few seconds",
        retryAfterSeconds: 2,
      });
    }
    const made = make(name, svg).finally(() => underWay.delete(svg));
    underWay.set(svg, made);
    return made;
  };
  const send = (request: Request, name: string, pair: () => PairPicture | null) =>
    meter.run(request, ONE_CALL, async () => {
      const svg = pictureSvg({ pair: pair(), isSimulated: deps.simulated });
      const { png, etag } = await pictureOf(name, svg);
      const fields = { mime: "image/png", cacheControl: CACHE_CONTROL, etag };
      return respond(request, deps, fields, () => ({ body: png, bytes: png.byteLength }));
    });
  return [
    { method: "GET", path: "/preview.png", handle: (request) => send(request, "", () => null) },
    {
      method: "GET",
      path: "/preview/:file",
      handle: (request, { file = "" }) => {
        const pair = FILE.exec(file);
        const [base, quote] = [currencyIndex(pair?.[1] ?? ""), currencyIndex(pair?.[2] ?? "")];
        if (base < 0 || quote < 0 || base === quote)
          throw new Failure("not_found", { path: pathOf(request.url) });
        return send(request, file, () => lastYear(deps, base, quote));
      },
    },
  ];
}

/** Of the newest day with published figures and the year before it; null before the first one. */
function lastYear(deps: PreviewDeps, base: CurrencyIndex, quote: CurrencyIndex): PairPicture | null {
  const { days, rates } = historyOrNull(deps, base, quote);
  const [last, rate] = [days.at(-1), rates.at(-1)];
  if (last === undefined || rate === undefined) return null;
  const first = days.findIndex((day) => day >= last - YEAR_DAYS);
  return {
    base: currencyCode(base),
    quote: currencyCode(quote),
    baseName: CURRENCIES[base]?.name ?? "",
    quoteName: CURRENCIES[quote]?.name ?? "",
    rate,
    date: formatDay(last),
    values: rates.slice(first).map(Number),
  };
}

function historyOrNull(deps: PreviewDeps, base: CurrencyIndex, quote: CurrencyIndex) {
  try {
    return pairHistory(deps, base, quote);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "data_unavailable") return { days: [], rates: [] };
    throw thrown;
  }
}
