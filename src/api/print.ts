/**
 * Makes printers from the schemas of answers. A member `valid_from` is printed from `validFrom` of the domain's value.
 * Schemas print days, instants, currencies and digits. Constants need no value. An optional member without a value is
 * left out.
 */

import type { Static, TArray, TObject, TProperties, TSchema } from "@sinclair/typebox";
import { OptionalKind } from "@sinclair/typebox";
import type { ExactNumber, SERVED_AT } from "#domain/net/message.ts";

const PRINTS = Symbol("prints");

export type Prints<S extends TSchema, Value> = S & {
  readonly [PRINTS]: (value: Value) => unknown;
};

export function printedBy<S extends TSchema, Value>(
  schema: S,
  print: (value: Value) => unknown,
): Prints<S, Value> {
  return { ...schema, [PRINTS]: print };
}

/** The same for a schema that also allows null, which is printed as null. */
export function printedOrNull<S extends TSchema, Value>(
  schema: S,
  print: (value: Value) => unknown,
): Prints<S, Value | null> {
  return printedBy(schema, print as (value: Value | null) => unknown);
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Names<P extends TProperties, IsOptional> = {
  [Name in keyof P]: [Printable<P[Name]>] extends [never]
    ? never
    : (P[Name] extends { [OptionalKind]: "Optional" } ? true : false) extends IsOptional
      ? Name
      : never;
}[keyof P];

/** The domain value that a schema prints; `never` for a member that needs none (a constant, the time of the answer). */
export type Printable<S> = S extends { readonly [PRINTS]: (value: infer Value) => unknown }
  ? Value
  : S extends TObject<infer P>
    ? { readonly [Name in Names<P, false> as CamelCase<Name>]: Printable<P[Name]> } & {
        readonly [Name in Names<P, true> as CamelCase<Name>]?: Printable<P[Name]> | undefined;
      }
    : S extends TArray<infer Item>
      ? readonly Printable<Item>[]
      : S extends TSchema
        ? Static<S>
        : never;

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

/** Makes a printer. It prints members in the order of the schema. */
export function printer<S extends TSchema>(schema: S): (value: Printable<S>) => Body<S> {
  return printerOf(schema) as (value: Printable<S>) => Body<S>;
}

type Print = (value: never) => unknown;

const printers = new WeakMap<TSchema, Print>();

/** Prints a value as the schema says. The printer of a schema is made once. */
export function print<S extends TSchema>(schema: S, value: Printable<S>): Body<S> {
  const printer = printers.get(schema) ?? printerOf(schema);
  printers.set(schema, printer);
  return printer(value as never) as Body<S>;
}

function printerOf(schema: TSchema & { readonly [PRINTS]?: Print }): Print {
  const { items, properties } = schema;
  const print =
    schema[PRINTS] ?? (properties && membersPrinter(properties)) ?? (items && itemsPrinter(items));
  return print === undefined ? (value) => value : (value) => (value === null ? null : print(value));
}

function itemsPrinter(item: TSchema): Print {
  const print = printerOf(item);
  return (values: readonly never[]) => values.map((value) => print(value));
}

function membersPrinter(properties: TProperties): Print {
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    from: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    isOptional: OptionalKind in member,
    print: printerOf(member),
  }));
  return (values: Readonly<Record<string, never>>) => {
    const body: Record<string, unknown> = {};
    for (const { name, from, isOptional, print } of members) {
      if (isOptional && values[from] === undefined) continue;
      const printed = print(values[from] as never);
      if (printed !== undefined) body[name] = printed;
    }
    return body;
  };
}
