/** The readers of one table's documents. Each fault names the document. */

import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import type { Day } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { type JsonObject, objectAt, objectsAt, readJsonObject } from "#sources/json.ts";
import { decodeText } from "#sources/text.ts";
import { attributeOf, elementOf, readElements, textOf, type XmlElement } from "#sources/xml.ts";
import {
  conclude,
  readCode,
  readJsonObjects,
  readRate,
  readTableDay,
  readUnit,
  type Span,
} from "./reading.ts";

/** `what` names the documents. A publication may be `daysAhead` of the day on which it is retrieved. All throw BrokenDocument. */
export function tableReader(what: string, table: Pick<OfficialTable, "zone">, daysAhead = 0) {
  return {
    what,
    broken: (why: string) => new BrokenDocument(`${what}: ${why}`),
    text: ({ bytes }: UpstreamDocument) => decodeText(bytes, what),
    xml: ({ bytes }: UpstreamDocument) => readElements(decodeText(bytes, what), what),
    json: ({ bytes }: UpstreamDocument) => readJsonObject(bytes, what),
    jsonList: ({ bytes }: UpstreamDocument) => readJsonObjects(bytes, what),
    element: (parent: XmlElement, name: string) => elementOf(parent, name, what),
    textOf: (parent: XmlElement, name: string) => textOf(parent, name, what),
    attribute: (element: XmlElement, name: string) => attributeOf(element, name, what),
    object: (parent: JsonObject, name: string) => objectAt(parent, name, what),
    objects: (parent: JsonObject, name: string) => objectsAt(parent, name, what),
    code: (text: string) => readCode(text, what),
    /** `of` names the rate, and in `unit` what is counted. */
    rate: (text: string, of: string) => readRate(text, what, of),
    unit: (text: string, of: string) => readUnit(text, what, of),
    day: (document: UpstreamDocument, day: Day | null, printed: string) =>
      readTableDay(day, printed, table, document, what, daysAhead),
    conclude: (window: Span, readings: readonly OfficialReading[], note?: string) =>
      conclude(window, readings, what, note),
  };
}

export type TableReader = ReturnType<typeof tableReader>;
