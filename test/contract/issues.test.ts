/** Faults of a body are stated in plain sentences, once a path, and never as a pattern. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ProvisionRequest } from "#api/account/account.ts";
import { issuesOf } from "#api/request/body.ts";
import { WebhookChangeRequest } from "#api/webhooks/endpoints.ts";

const Body = Type.Object(
  {
    email: Type.String({ pattern: "^[^@]+@[^@]+$", examples: ["ada@example.com"] }),
    plan: Type.Optional(Type.String({ pattern: "^(basic|pro)$", enum: ["basic", "pro"] })),
    pairs: Type.Optional(
      Type.Array(Type.Tuple([Type.String(), Type.Union([Type.Number(), Type.String()])]), { minItems: 1 }),
    ),
    order: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])),
  },
  { additionalProperties: false },
);
const email = "ada@example.com";

test("a body of the documented shape has no issues", () => {
  expect(issuesOf(Body, { email, plan: "pro", pairs: [["USD", "1"]], order: "asc" })).toEqual([]);
});

test.each([
  [[], "", "an object is needed"],
  [{}, "/email", "is missing"],
  [{ email: 1 }, "/email", "a text is needed"],
  [{ email: "x" }, "/email", "not of the documented form, such as ada@example.com"],
  [{ email, plan: "gold" }, "/plan", "one of basic, pro is needed"],
  [{ email, ["x".repeat(60_000)]: 1 }, `/${"x".repeat(239)}…`, "is none of the documented members"],
  [{ email, more: 1 }, "/more", "is none of the documented members"],
  [{ email, pairs: "USD" }, "/pairs", "a list is needed"],
  [{ email, pairs: [] }, "/pairs", "at least 1 must be in it"],
  [{ email, pairs: [["USD"]] }, "/pairs/0", "a list of 2 is needed"],
  [{ email, pairs: [["USD", true]] }, "/pairs/0/1", "a number or a text is needed"],
  [{ email, order: "up" }, "/order", "asc or desc is needed"],
])("%j: %s %s", (body, path, message) => {
  expect(issuesOf(Body, body)).toEqual([{ path, message }]);
});

test("lengths are counted in characters, not in the halves of which some of them have two", () => {
  const Note = Type.Object({ note: Type.String({ maxLength: 200 }) });
  const issue = { path: "/note", message: "at most 200 characters are taken" };
  for (const character of ["x", "é", "€", "😀", "𝒳"]) {
    expect(issuesOf(Note, { note: character.repeat(200) })).toEqual([]);
    expect(issuesOf(Note, { note: character.repeat(201) })).toEqual([issue]);
  }
});

test.each([
  [
    "a webhook endpoint's description",
    WebhookChangeRequest,
    "/description",
    (note: string) => ({ description: note }),
  ],
  [
    "what a sign-up says of itself",
    ProvisionRequest,
    "/signup_attribution/from",
    (note: string) => ({ signup_attribution: { from: note } }),
  ],
] as const)("%s may have 200 characters", (_, model, path, body) => {
  expect(issuesOf(model, body("😀".repeat(200)))).toEqual([]);
  expect(issuesOf(model, body("😀".repeat(201))).map((issue) => issue.path)).toContain(path);
});

test("at most 20 are listed", () => {
  const body = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, 1]));
  expect(issuesOf(Body, { email, ...body })).toHaveLength(20);
});
