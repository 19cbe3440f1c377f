/** The type of a body before it is encoded: the type of its schema, with exact digits for numbers and a marker for the serving time. */

import type { Static, TSchema } from "@sinclair/typebox";
import type { Exact, ExactNumber, SERVED_AT } from "#domain/net/exact-json.ts";

/** What a printer returns for a schema. A member that the schema has not, lacks or has otherwise is a type error. */
export type Body<Schema extends TSchema> = Printed<Static<Schema>>;

type Printed<T> = T extends number
  ? T | ExactNumber
  : T extends readonly (infer Item)[]
    ? readonly Printed<Item>[]
    : T extends object
      ? {
          readonly [Name in keyof T]: Name extends "timestamp"
            ? T[Name] | typeof SERVED_AT
            : Printed<T[Name]>;
        }
      : T;

/** A body as a client reads it that keeps every number by its digits. */
export type Read<Schema extends TSchema> = Exact<Static<Schema>>;
