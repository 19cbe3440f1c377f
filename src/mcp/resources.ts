/** Resources: the catalog, the guides, and the official tables with their newest publications. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Refusal, refusalOf, type ToolDeps } from "./tool.ts";

/** A table of the server; the list of resources names its newest publication. */
export type NamedTable = Pick<OfficialTable, "country" | "types" | "title" | "authority">;

export interface ResourceDeps extends ToolDeps {
  /** Tables with a listed newest publication; the template leads to the others. */
  readonly officialTables: readonly NamedTable[];
}

const JSON_TYPE = "application/json";
const GUIDE_TYPE = "text/markdown";
const SCHEME = "crossrate://";

const CATALOG = {
  uri: `${SCHEME}currencies`,
  name: "currencies",
  title: "Currency catalog",
  description: "Every currency with its code, name, minor units, sources and the first day of its history.",
  mimeType: JSON_TYPE,
};

const OFFICIAL = {
  uri: `${SCHEME}official`,
  name: "official",
  title: "Official tables",
  description: "Every official table that this server offers, with its country, types, authority and terms.",
  mimeType: JSON_TYPE,
};

export const TEMPLATES = [
  {
    uriTemplate: `${SCHEME}official/{country}/{type}`,
    name: "official-publication",
    title: "Newest publication of an official table",
    description: "The rates of an official table as the authority published them last.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${SCHEME}docs/{page}`,
    name: "docs",
    title: "Documentation page",
    description: "A page of the documentation.",
    mimeType: GUIDE_TYPE,
  },
];

/** Makes no REST call. */
export function listResources({ guides, officialTables }: ResourceDeps) {
  return [
    CATALOG,
    OFFICIAL,
    ...officialTables.map(({ country, types, title, authority }) => ({
      uri: `${SCHEME}official/${country}/${types[0]}`,
      name: `official-${country}-${types[0]}`.toLowerCase(),
      title: `${country}: ${title}`,
      description: `The newest publication of ${authority}.`,
      mimeType: JSON_TYPE,
    })),
    ...guides.pages.map(({ slug, title, summary }) => ({
      uri: `${SCHEME}docs/${slug}`,
      name: `docs-${slug}`,
      title,
      description: `${summary}.`,
      mimeType: GUIDE_TYPE,
    })),
  ];
}

const PUBLICATION = /^official\/([A-Za-z]{3})\/([A-Za-z0-9_-]{1,32})$/;

/** Resolves with null for an unknown resource. Counts as its REST call; guides are part of the server and count as no call. */
export async function readResource(
  { call, guides }: ResourceDeps,
  uri: string,
  signal: AbortSignal,
): Promise<{ readonly mimeType: string; readonly text: string } | Refusal | null> {
  if (!uri.startsWith(SCHEME)) return null;
  const path = uri.slice(SCHEME.length);
  if (path.startsWith("docs/")) {
    const page = guides.pages.find(({ slug }) => path === `docs/${slug}`);
    return page === undefined ? null : { mimeType: GUIDE_TYPE, text: page.markdown };
  }
  const [, country, type] = PUBLICATION.exec(path) ?? [];
  const isList = path === "currencies" || path === "official";
  if (!isList && country === undefined) return null;
  const rest = isList ? `/v1/${path}` : `/v1/official/${country}/${type}/publications/latest`;
  const answer = await call({ method: "GET", path: rest }, signal);
  if (answer.status === 200) return { mimeType: JSON_TYPE, text: answer.text };
  return answer.status === 404 ? null : refusalOf(answer);
}
