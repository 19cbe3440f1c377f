/** The types of files that some answers also come as, and how `format` and Accept choose one. */

import { choice, optional } from "#api/parameters.ts";
import { typePreference } from "#api/response/negotiation.ts";
import type { ExportFormat } from "#domain/history/rate-columns.ts";
import { XLSX } from "#domain/text/workbook.ts";

export const MIME: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  xlsx: XLSX,
};

/** The choice among JSON and some types. */
export function typesOf<const Type extends ExportFormat>(types: readonly Type[]) {
  const formats = ["json", ...types] as const;
  const preference = typePreference(
    formats.map(
      (type) => [type === "json" ? "application/json" : MIME[type].split(";", 1).join(), type] as const,
    ),
  );
  const preferred = (accept: string | null) => preference(accept) ?? "json";
  return {
    formats,
    /** By Accept alone. */
    preferred,
    isJson: (accept: string | null) => preferred(accept) === "json",
    /** Null when absent: then Accept decides. */
    format: (description: string) =>
      optional(
        choice<"json" | Type>(formats, `${description} \`Accept\` does the same. Refusals stay JSON.`),
      ),
    wanted: ({ headers }: Request, format: "json" | Type | null) =>
      format ?? preferred(headers.get("accept")),
  };
}

/** Describes the CSV of a table for `otherTypes`. */
export const csvType = (columns: readonly string[], meaning = "") => ({
  mime: "text/csv",
  description: `With \`format=csv\`: columns ${columns.join(", ")}.${meaning} Lines end in CR LF.`,
});
