/** Types of a body before it is encoded: its schema's type, with exact digits for numbers and a marker for the serving time. */

import type { Static, TSchema } from "@sinclair/typebox";
import type { Exact, ExactNumber, SERVED_AT } from "#domain/net/message.ts";

/** The result of a schema's printer. A missing, additional or mistyped member is a type error. */
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

/** A body as read by a client that keeps the digits of every number. */
export type Read<Schema extends TSchema> = Exact<Static<Schema>>;
