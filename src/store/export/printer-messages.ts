/** What a server and the process that makes its exports say to each other. */

import type { NumberColumn } from "#store/parquet/append.ts";
import type { PrinterOptions, PrintJob } from "./printer.ts";

/** Each is answered once, by its number. */
export type PrinterRequest =
  | { readonly kind: "open"; readonly options: PrinterOptions }
  | { readonly kind: "create"; readonly table: string; readonly statement: string }
  | {
      readonly kind: "append";
      readonly table: string;
      readonly columns: readonly NumberColumn[];
      readonly count: number;
    }
  | { readonly kind: "end"; readonly table: string }
  | { readonly kind: "print"; readonly job: PrintJob }
  | { readonly kind: "drop"; readonly table: string };

export type ToPrinter =
  | { readonly number: number; readonly request: PrinterRequest }
  /** Ends the printing of that number, which is answered with its failure. Not answered itself. */
  | { readonly interrupt: number };

/** `error` is null where the request was met. */
export interface FromPrinter {
  readonly number: number;
  readonly error: string | null;
}
