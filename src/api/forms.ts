/**
 * Builders of JSON Schemas for fields and bodies. Each takes a description and an example. The document composes examples of
 * objects and lists from those of their members. State the example of an object only where its members depend on each other.
 */

import {
  type NumberOptions,
  type Static,
  type StringOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from "@sinclair/typebox";
import { type Exact, printedNumber } from "#domain/net/message.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { printedBy, printedOrNull, printer } from "./print.ts";

/** Returns the schema with a description and examples for one place; a named schema stays a reference. */
export function meaning<T extends TSchema>(
  schema: T,
  description: string,
  ...examples: readonly Static<T>[]
): T {
  return { ...schema, description, ...stated(examples) };
}

function stated<T>(examples: readonly T[]) {
  return examples.length === 0 ? {} : { examples };
}

export function orNull<T extends TSchema>(
  schema: T,
  description: string,
  ...examples: readonly (Static<T> | null)[]
) {
  const either = { anyOf: [schema, { type: "null" }], description, ...stated(examples) };
  return printedOrNull(Type.Unsafe<Static<T> | null>(either), printer(schema));
}

/** Makes a function that describes objects with names of the form `propertyNames`. */
export const keyedBy =
  (propertyNames: object) =>
  <T extends TSchema>(value: T, description: string, example: Readonly<Record<string, Static<T>>>) =>
    Type.Unsafe<Record<string, Static<T>>>({
      type: "object",
      propertyNames,
      additionalProperties: value,
      description,
      examples: [example],
    });

/** Describes an object with these members and no others, under a name in the document. */
export function named<T extends TProperties>($id: string, description: string, members: T) {
  return Type.Object(members, { $id, additionalProperties: false, description });
}

/** Makes members that an object may lack. */
export function optional<T extends TProperties>(members: T) {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, Type.Optional(member)]),
  ) as { [Name in keyof T]: TOptional<T[Name]> };
}

/** Describes an object with these members and no others, without a name in the document. */
export function closed<T extends TProperties>(description: string, members: T) {
  return Type.Object(members, { additionalProperties: false, description });
}

export function text(description: string, example: string, form: StringOptions = {}) {
  return Type.String({ ...form, description, examples: [example] });
}

export function textOrNull(description: string, example: string | null) {
  return nullable<string>("string", { description, examples: [example] });
}

export function flag(description: string, example: boolean) {
  return Type.Boolean({ description, examples: [example] });
}

export function list<T extends TSchema>(
  item: T,
  description: string,
  ...examples: readonly (readonly unknown[])[]
) {
  return Type.Array(item, { description, ...stated(examples) });
}

export function count(description: string, example: number, minimum = 0) {
  return Type.Integer({ minimum, description, examples: [example] });
}

export function countOrNull(description: string, example: number | null, minimum = 0) {
  return nullable<number>("integer", { minimum, description, examples: [example] });
}

/** Describes a number that the domain holds as text, to keep its digits. */
export function digits(description: string, example: number, form: NumberOptions = {}) {
  const schema = Type.Number({ ...form, description, examples: [example] });
  return printedBy(schema, (text: string | number) =>
    typeof text === "number" ? text : printedNumber(text),
  );
}

/** Like `digits`, but from 0 on, or null. */
export function digitsOrNull(description: string, example: number) {
  return printedOrNull(numberOrNull(description, example), printedNumber);
}

/** Describes a number from 0 on, or null. */
export function numberOrNull(description: string, example: number) {
  return nullable<number>("number", { minimum: 0, description, examples: [example] });
}

export function oneOf<const T extends string>(
  values: readonly T[],
  description?: string,
  ...examples: readonly T[]
) {
  return Type.Unsafe<T>({
    type: "string",
    enum: [...values],
    ...(description === undefined ? {} : { description }),
    ...stated(examples),
  });
}

/** Describes one of some values, under a name in the document: code generators make one type of all its uses. */
export function vocabulary<const T extends string>($id: string, values: readonly T[], description: string) {
  return { $id, ...oneOf(values, description) };
}

export function constant<const T extends string>(value: T, description: string, more: object = {}) {
  return Type.Unsafe<T>({ type: "string", const: value, ...more, description, examples: [value] });
}

/** Describes a code of three letters, also of a currency outside the catalog. */
export function anyCurrency(description: string, example: string) {
  return text(description, example, { pattern: "^[A-Z]{3}$" });
}

/** Describes a SHA-256 in hex; its example repeats these digits. */
export function sha256(description: string, digits = "3f") {
  return text(description, digits.repeat(64).slice(0, 64), { pattern: "^[0-9a-f]{64}$" });
}

/** Describes a member of a request that is one of these words; a refusal lists them. */
export function word<W extends string>(words: readonly W[], options: StringOptions = {}) {
  const pattern = `^(${words.map((one) => one.replaceAll(".", "\\.")).join("|")})$`;
  return Type.Unsafe<W>(Type.String({ pattern, enum: [...words], ...options }));
}

export function nullable<T>(type: "string" | "number" | "integer", options: object) {
  return Type.Unsafe<T | null>({ type: [type, "null"], ...options });
}

/** The same, or null. */
export function oneOfOrNull<const T extends string>(
  name: string,
  values: readonly T[],
  description: string,
  example: T | null,
) {
  const anyOf = [vocabulary(name, values, description), { type: "null" }];
  return Type.Unsafe<T | null>({ anyOf, description, examples: [example] });
}

/**
 * Describes one of several bodies. Code generators make a union of `oneOf`; of `anyOf` they make one body with all
 * members.
 */
export function eitherOf<T extends TSchema>(name: string, bodies: readonly T[], description: string) {
  return Type.Unsafe<Static<T>>({ $id: name, oneOf: [...bodies], description });
}

export const DAY_PATTERN = "^\\d{4}-\\d{2}-\\d{2}$";
export const byDay = keyedBy({ pattern: DAY_PATTERN });

export const INSTANT_PATTERN = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$";

const time = (format: string, pattern: string, print: (value: number) => string) => {
  const form = (description: string, example: string | null) => ({
    ...{ format, pattern, description, examples: [example] },
  });
  return {
    stated: (description: string, example: string) =>
      printedBy(Type.String(form(description, example)), print),
    orNull: (description: string, example: string | null) =>
      printedOrNull(nullable<string>("string", form(description, example)), print),
  };
};

/** Describe a time in UTC, to the second or the millisecond. */
export const { stated: instant, orNull: instantOrNull } = time("date-time", INSTANT_PATTERN, formatInstant);
export const { stated: day, orNull: dayOrNull } = time("date", DAY_PATTERN, formatDay);

/**
 * Composes an example from those of the members: all members of a request, the required members of an answer. The
 * schema's own example wins. Returns undefined for a text without an example.
 */
export function exampleOf<S extends object>(
  schema: S,
  of: "request" | "answer",
): S extends TSchema ? Static<S> : unknown {
  return composed(schema, of) as never;
}

function composed(schema: object, of: "request" | "answer"): unknown {
  const {
    examples,
    enum: values,
    anyOf,
    oneOf,
    properties,
    required = [],
    items,
    type,
    ...rest
  } = schema as TSchema;
  const stated = [examples?.[0], rest["const"], rest["default"], values?.[0]].find(
    (one) => one !== undefined,
  );
  if (stated !== undefined) return stated;
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return composed(first, of);
  if (type === "array") return [items].flat().map((item) => composed(item, of));
  if (properties === undefined) return undefined;
  const members = Object.entries<object>(properties)
    .filter(([name]) => of === "request" || required.includes(name))
    .map(([name, member]) => [name, composed(member, of)]);
  return Object.fromEntries(members.filter(([, example]) => example !== undefined));
}

/** A body as read by a client that keeps the digits of every number. */
export type Read<Schema extends TSchema> = Exact<Static<Schema>>;
