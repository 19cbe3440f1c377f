/** A planned export and the form in which it is asked for. */

import type { ExportFormat, ExportPlan } from "#domain/history/export-plan.ts";

export interface ExportOrder {
  readonly plan: ExportPlan;
  /** Names the content whatever the format. */
  readonly identity: string;
  readonly format: ExportFormat;
  /** Without the extension. */
  readonly fileName: string;
  /** Tell how much it would be instead. */
  readonly estimate: boolean;
  /** Quotes in the files that an export of the archive reads. */
  readonly quotes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
