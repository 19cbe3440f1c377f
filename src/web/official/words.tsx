/** The texts of official tables: countries, hours, validity; and their addresses. */
/* @jsxImportSource preact */

import type { OfficialKind, OfficialTable } from "#domain/official/publication.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { dateOf, Others } from "#web/shared/figure.tsx";

export const KIND_WORDS: Readonly<Record<OfficialKind, string>> = {
  mid: "middle",
  buy: "buying",
  sell: "selling",
  average: "average",
};

export function tablePath({ country, types }: Pick<OfficialTable, "country" | "types">): string {
  return `/official/${country.toLowerCase()}/${types[0] ?? ""}`;
}

/** Encodes the publication's name: authorities may use any characters. */
export function publicationPath(
  table: Pick<OfficialTable, "country" | "types">,
  publication: string,
): string {
  return `${tablePath(table)}/${encodeURIComponent(publication)}`;
}

export function PublicationLink({ table, name }: { readonly table: OfficialTable; readonly name: string }) {
  return (
    <a href={publicationPath(table, name)}>
      <Others>{name}</Others>
    </a>
  );
}

/** "America/Mexico_City" → "Mexico City". */
export function cityOf(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

export function DayText({ day }: { readonly day: Day }) {
  const text = formatDay(day);
  return <time dateTime={text}>{dateOf(text)}</time>;
}

/** "13 Apr 2026 until the next publication", "1 Apr 2026 to 30 Apr 2026". */
export function Validity({ validFrom, validTo }: { readonly validFrom: Day; readonly validTo: Day | null }) {
  if (validTo === validFrom) return <DayText day={validFrom} />;
  return (
    <>
      <DayText day={validFrom} />{" "}
      {validTo === null ? (
        "until the next publication"
      ) : (
        <>
          to <DayText day={validTo} />
        </>
      )}
    </>
  );
}
