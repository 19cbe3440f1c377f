/** The example table of the schemas of official publications. */

import { noticeText } from "#domain/dataset/provenance.ts";

export const OFFICIAL_NOTICE = `${noticeText(false, false)} Official rates as their authority published them; its own publication prevails.`;

export const FIX_ENTRY = {
  publication: "2026-04-13",
  version: 1,
  valid_from: "2026-04-13",
  valid_to: null,
  published_at: null,
  retrieved_at: "2026-04-13T18:05:11Z",
};

export const FIX_TABLE = {
  id: "mex_fix",
  country: "MEX",
  types: ["fix", "banxico"],
  title: "FIX: pesos per US dollar, by day of determination",
  authority: "Banco de México",
  cadence: "daily",
  currency: "MXN",
  zone: "America/Mexico_City",
  homepage: "https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en",
  terms: "Source: Banco de México, Sistema de Información Económica, reproduced as published.",
  collected: true,
  newest: FIX_ENTRY,
};
