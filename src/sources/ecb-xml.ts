/** eurofxref-daily.xml and eurofxref-hist-90d.xml: `<Cube time>` holding `<Cube currency rate>`. One schema, either quote style. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/point-in-time/reading.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import type { Day } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { ecbCurrency, ecbFigure, readEcbDay } from "./ecb-figure.ts";
import { conclude, readDigits } from "./reading.ts";
import { decodeText, quoted } from "./text.ts";
import { attributeOf, elementsOf, readElements, type XmlElement } from "./xml.ts";

const WHAT = "ECB XML";
const ENVELOPE = "gesmes:Envelope";
const CUBE = "Cube";

/** Reads one or many days. Throws BrokenDocument on anything but a whole envelope with each day and currency once. */
export function parseEcbXml(document: UpstreamDocument, window: Window): Reading {
  const envelope = readElements(decodeText(document.bytes, WHAT), WHAT);
  if (envelope.name !== ENVELOPE) throw new BrokenDocument(`${WHAT}: the document is not a ${ENVELOPE}`);
  const frames = cubesOf(envelope);
  if (frames.length === 0) throw new BrokenDocument(`${WHAT}: no Cube in it`);
  const days = new Map<Day, readonly Figure[]>();
  for (const cube of frames.flatMap(cubesOf)) {
    const time = attributeOf(cube, "time", WHAT);
    const date = readEcbDay(time, window, WHAT);
    if (days.has(date)) throw new BrokenDocument(`${WHAT}: two cubes for ${time}`);
    days.set(date, figuresOf(cubesOf(cube), date));
  }
  const dates = [...days.keys()].sort((a, b) => a - b);
  const figures = dates.flatMap((day) => days.get(day) ?? []);
  return conclude(window, isTargetDay, figures, [], dates.at(-1) ?? null);
}

/** A frame holds days, a day holds rates, and cubes stand nowhere else. */
function cubesOf(element: XmlElement): readonly XmlElement[] {
  for (const child of element.children) {
    if (child.name !== CUBE) refuseCubesIn(child);
  }
  return elementsOf(element, CUBE);
}

function refuseCubesIn(element: XmlElement): void {
  for (const child of element.children) {
    if (child.name === CUBE) throw new BrokenDocument(`${WHAT}: a ${CUBE} inside ${quoted(element.name)}`);
    refuseCubesIn(child);
  }
}

function figuresOf(cubes: readonly XmlElement[], date: Day): readonly Figure[] {
  const codes = new Set<string>();
  return cubes.flatMap((cube) => {
    refuseCubesIn(cube);
    const code = attributeOf(cube, "currency", WHAT);
    const rate = attributeOf(cube, "rate", WHAT).trim();
    if (codes.has(code)) throw new BrokenDocument(`${WHAT}: ${quoted(code)} twice on one day`);
    codes.add(code);
    const quote = ecbCurrency(code);
    if (quote === null || rate === "" || rate === "N/A") return [];
    return [ecbFigure(date, quote, readDigits(rate, WHAT, date, code), null)];
  });
}
