/** eurofxref-daily.xml and eurofxref-hist-90d.xml: `<Cube time>` holding `<Cube currency rate>`. One schema, either quote style. */

import { isTargetDay } from "#domain/calendar.ts";
import type { Day } from "#domain/day.ts";
import { BrokenDocument } from "#domain/faults.ts";
import type { Figure } from "#domain/observation.ts";
import type { Reading, Window } from "#domain/reading.ts";
import type { UpstreamDocument } from "#ports.ts";
import { ecbCurrency, ecbFigure, readEcbDay } from "./ecb-figure.ts";
import { conclude, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";
import { type OpeningTag, readTags } from "./xml.ts";

const WHAT = "ECB XML";
const ENVELOPE = "gesmes:Envelope";

/** Reads one or many days. Throws BrokenDocument on anything but a whole envelope with each day and currency once. */
export function parseEcbXml(document: UpstreamDocument, window: Window): Reading {
  const tags = readTags(decodeText(document.bytes, WHAT), WHAT);
  if (tags[0]?.name !== ENVELOPE) throw new BrokenDocument(`${WHAT}: the document is not a ${ENVELOPE}`);
  const days = new Map<Day, Map<string, Figure | null>>();
  let date: Day | null = null;
  let sawCube = false;
  for (const tag of tags) {
    if (tag.name !== "Cube") continue;
    const depth = depthOf(tag);
    if (depth === 1) {
      sawCube = true;
    } else if (depth === 2) {
      date = readEcbDay(attribute(tag, "time"), window, WHAT);
      if (days.has(date)) throw new BrokenDocument(`${WHAT}: two cubes for ${tag.attributes.get("time")}`);
      days.set(date, new Map());
    } else {
      addRate(tag, date as Day, days);
    }
  }
  if (!sawCube) throw new BrokenDocument(`${WHAT}: no Cube in it`);
  const dates = [...days.keys()].sort((a, b) => a - b);
  const figures = dates.flatMap((day) =>
    [...(days.get(day)?.values() ?? [])].filter((figure) => figure !== null),
  );
  return conclude(window, isTargetDay, figures, [], dates.at(-1) ?? null);
}

/** 1 the frame, 2 a day, 3 a rate: cubes stand in cubes and nowhere else. */
function depthOf(tag: OpeningTag): number {
  const [root, ...cubes] = tag.path;
  if (root !== ENVELOPE || cubes.length > 2 || cubes.some((name) => name !== "Cube")) {
    throw new BrokenDocument(`${WHAT}: a Cube inside ${quoted(tag.path.join("/"))}`);
  }
  return tag.path.length;
}

function addRate(tag: OpeningTag, date: Day, days: Map<Day, Map<string, Figure | null>>): void {
  const code = attribute(tag, "currency");
  const rate = attribute(tag, "rate").trim();
  const rates = days.get(date) as Map<string, Figure | null>;
  if (rates.has(code)) throw new BrokenDocument(`${WHAT}: ${quoted(code)} twice on one day`);
  const quote = ecbCurrency(code);
  const missing = quote === null || rate === "" || rate === "N/A";
  rates.set(code, missing ? null : ecbFigure(date, quote, readDigits(rate, WHAT, date, code), null));
}

function attribute(tag: OpeningTag, name: string): string {
  const value = tag.attributes.get(name);
  if (value === undefined) throw new BrokenDocument(`${WHAT}: a Cube without ${name}`);
  return value;
}
