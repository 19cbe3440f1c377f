/** The definition of a table: columns in Delta's types, partitions, and the columns with statistics. */

import type { Action } from "./snapshot.ts";

/** Of a lake, with a folder for each table. */
export const CURRENT_FOLDER = "current";

/** Delta's names; Parquet version 1 has a plain form of each. */
type ColumnType = "string" | "short" | "integer" | "long" | "double" | "date" | "timestamp";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable?: true;
  /** Minimum and maximum are in the log, and engines skip files by them. */
  readonly ranged?: true;
  /** For analysts; engines display it. */
  readonly comment: string;
}

/** Defines a column. Its values are not null and have no statistics, unless a mark says so. */
export function column(
  name: string,
  type: ColumnType,
  comment: string,
  ...marks: readonly ("nullable" | "ranged")[]
): Column {
  return {
    ...{ name, type, comment },
    ...(marks.includes("nullable") ? { nullable: true } : {}),
    ...(marks.includes("ranged") ? { ranged: true } : {}),
  };
}

export interface TableDefinition {
  /** Also the name of its folder. */
  readonly name: string;
  readonly description: string;
  /** In the order of the files. */
  readonly columns: readonly Column[];
  /** In folder names and the log, not repeated in the files. */
  readonly partitions: readonly Column[];
  /** The name of a partition's file below `current/`. */
  readonly currentFile: string;
}

/** Version of paths, columns, types and order of all tables of a lake. */
export const LAKE_FORMAT = 2;
export type Mode = "real" | "simulated";
export const RETENTION_DAYS = 7;

/** The lake has the other mode of the product: real and simulated rates never mix. */
export class WrongMode extends Error {
  constructor(directory: string, mode: string) {
    const other =
      mode === "simulated" ? "simulated rates, which serve refuses" : "real rates, which the demo refuses";
    super(`${directory} holds ${other}; set DATA_DIR to another directory`);
    this.name = "WrongMode";
  }
}

const FORMAT_KEY = "crossrate.format";
const MODE_KEY = "crossrate.mode";

/** Every engine understands reader 1 and writer 2. */
const PROTOCOL = { minReaderVersion: 1, minWriterVersion: 2 };

export function creationOf(definition: TableDefinition, id: string, mode: Mode, now: number): Action[] {
  const { name, description, columns, partitions } = definition;
  const field = ({ name, type, nullable, comment }: Column) => ({
    name,
    type,
    nullable: nullable === true,
    metadata: { comment },
  });
  return [
    { protocol: PROTOCOL },
    {
      metaData: {
        id,
        name,
        description,
        format: { provider: "parquet", options: {} },
        schemaString: JSON.stringify({ type: "struct", fields: [...partitions, ...columns].map(field) }),
        partitionColumns: partitions.map((column) => column.name),
        configuration: { [FORMAT_KEY]: String(LAKE_FORMAT), [MODE_KEY]: mode },
        createdTime: now,
      },
    },
  ];
}

export function marksOf(configuration: Readonly<Record<string, string>>): {
  readonly mode: string | undefined;
  readonly format: number;
} {
  return { mode: configuration[MODE_KEY], format: Number(configuration[FORMAT_KEY] ?? Number.NaN) };
}

/** Returns the folder of a partition, such as `source=ecb_daily/year=2026`; empty without partitions. */
export function partitionFolder(
  { partitions }: TableDefinition,
  values: Readonly<Record<string, string>>,
): string {
  return partitions.map(({ name }) => `${name}=${values[name]}`).join("/");
}
