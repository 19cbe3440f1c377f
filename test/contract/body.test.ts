/** A printer that differs from its schema does not compile. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import { type Body, printer } from "#api/print.ts";
import { LatestResponse } from "#api/rates/latest.ts";
import { type HealthResponse, healthBody } from "#api/status/status.ts";

type Health = Body<typeof HealthResponse>;
type Latest = Body<typeof LatestResponse>;

test("a body has the members of its schema, no others, and values of their types", () => {
  const right = { result: "success", status: "ok", version: "1" } satisfies Health;
  expect(healthBody("1")).toEqual(right);
  // @ts-expect-error: a member that the schema has not.
  ({ result: "success", status: "ok", version: "1", uptime: 3 }) satisfies Health;
  // @ts-expect-error: a member that the schema requires is absent.
  ({ result: "success", status: "ok" }) satisfies Health;
  // @ts-expect-error: a value that the schema does not allow.
  ({ result: "success", status: "up", version: "1" }) satisfies Health;
});

test("a printer takes every member of its schema from the domain's value", () => {
  // @ts-expect-error: `keyId` of the domain is absent.
  printer(Type.Object({ key_id: Type.String(), at: form.instant("", "") }))({ at: 0 });
  const print = printer(Type.Object({ key_id: Type.String(), at: Type.Optional(form.instant("", "")) }));
  expect([print({ keyId: "a" }), print({ keyId: "a", at: 0 })]).toEqual([
    { key_id: "a" },
    { key_id: "a", at: "1970-01-01T00:00:00Z" },
  ]);
});

test("members of rates are checked, too: exact digits where the schema has a number, names where it has a list", () => {
  // @ts-expect-error: a rate is a number or exact digits, never a text.
  ({ EUR: "0.85" }) satisfies Latest["rates"];
  // @ts-expect-error: not a source.
  ({ EUR: "somewhere" }) satisfies Latest["sources"];
  // @ts-expect-error: not a market session.
  "closed" satisfies Latest["market_session"];
  expect(Object.keys(LatestResponse.properties)).toContain("market_session");
});
