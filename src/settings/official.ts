/** The settings of official publications: which tables, and what authorities want to be asked with. */

import { listOf, type SettingsReader } from "./reader.ts";

export interface OfficialSettings {
  /** Ids in the order given, each once; which there are is known where they are opened. */
  readonly tables: "all" | "off" | readonly string[];
  readonly banxicoToken: string | null;
}

const ID = /^[a-z0-9_]+$/;
/** Banxico's tokens are 64 hexadecimal digits; what cannot stand in a header would fail at every request instead. */
const TOKEN = /^[\x21-\x7e]{8,128}$/;

export function readOfficial(read: SettingsReader): OfficialSettings {
  const banxicoToken = read.text("BANXICO_TOKEN");
  if (banxicoToken !== null && !TOKEN.test(banxicoToken))
    read.fault("BANXICO_TOKEN", "a token without spaces is needed, as Banxico gives it");
  return { tables: readTables(read), banxicoToken };
}

function readTables(read: SettingsReader): OfficialSettings["tables"] {
  const words = [...new Set(listOf(read.text("OFFICIAL_TABLES")).map((word) => word.toLowerCase()))];
  const [first] = words;
  if (words.length === 1 && (first === "all" || first === "off")) return first;
  const wrong = words.find((word) => !ID.test(word) || word === "all" || word === "off");
  if (wrong === undefined && words.length > 0) return words;
  read.fault("OFFICIAL_TABLES", "all, off, or ids of tables such as mex_fix,pol_a are needed");
  return "off";
}
