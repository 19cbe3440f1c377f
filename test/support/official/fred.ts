/** FRED's interface for callers with a key, in the world of the demo, which has none. */

import { daysOf, figureText, newestFredRelease, SERIES } from "#demo/fred.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";

export function fredApi(request: DemoRequest): Answer {
  if (request.url.pathname !== "/fred/series/observations") return notFound();
  const of = (name: string, fallback: string) => request.url.searchParams.get(name) ?? fallback;
  const id = of("series_id", "");
  const start = of("observation_start", "1776-07-04");
  const from = parseDay(start);
  if (SERIES[id] === undefined || from === null) return notFound();
  const { days, newest } = daysOf(request, from);
  const today = formatDay(dayInZone("America/New_York", request.now));
  const realtime = `"realtime_start":"${today}","realtime_end":"${today}"`;
  const observations = days.map((day) => {
    const value = figureText(request, id, day, newest) ?? ".";
    return `{${realtime},"date":"${day.date}","value":"${value}"}`;
  });
  return {
    contentType: "application/json; charset=UTF-8",
    lastModified: newestFredRelease(request.now).at,
    body: () =>
      `{${realtime},"observation_start":"${start}","observation_end":"9999-12-31","units":"lin","output_type":1,` +
      `"file_type":"json","order_by":"observation_date","sort_order":"asc","count":${days.length},` +
      `"offset":0,"limit":100000,"observations":[${observations.join(",")}]}`,
  };
}
