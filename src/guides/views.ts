/** The views of the lake for DuckDB, embedded as text in every form of the product. */

import text from "#docs/views.sql" with { type: "text" };

export const LAKE_VIEWS: string = text;
