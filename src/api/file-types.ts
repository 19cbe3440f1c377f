/** File types that some answers also come in, chosen by `format` or Accept. */

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

/** Makes the choice between JSON and these types; JSON is the default. */
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
    /** Reads Accept alone. */
    preferred,
    isJson: (accept: string | null) => preferred(accept) === "json",
    /** Makes the parameter `format`. It is null when absent: then Accept decides. */
    format: (description: string) =>
      optional(
        choice<"json" | Type>(formats, `${description} \`Accept\` does the same. Refusals stay JSON.`),
      ),
    typeFor: ({ headers }: Request, format: "json" | Type | null) =>
      format ?? preferred(headers.get("accept")),
  };
}

/** Describes the CSV of a table for `otherTypes`. */
export const csvType = (columns: readonly string[], meaning = "") => ({
  mime: "text/csv",
  description: `With \`format=csv\`: columns ${columns.join(", ")}.${meaning} Lines end in CR LF.`,
});
