/** Every JSON body of the documents is refused alike where it is unreadable or of another shape, before its sender is known. */

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { openAccountApp } from "#test/api/account/account-app.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { DASHBOARD_OPERATIONS, OPERATIONS, sampleCall } from "#test/api/openapi/valid.ts";

// biome-ignore lint/suspicious/noExplicitAny: a schema is searched by name
type Json = Record<string, any>;

const people = await openAccountApp();
/** Nothing is asked of accounts, and nothing is bought. */
const app = openTestApp({ ...people.deps, billing: {} as never });

const WITH_BODY = [...OPERATIONS, ...DASHBOARD_OPERATIONS].flatMap((operation) =>
  operation.body === undefined ? [] : [[operation.id, sampleCall(operation)[0], operation.body] as const],
);
/** The events of the payment provider are taken by their signature, whatever their shape. */
const SHAPED = WITH_BODY.filter(([id]) => id !== "receiveStripeEvent");

test("there are such bodies", () => {
  expect(WITH_BODY.length).toBeGreaterThanOrEqual(12);
});

const coded = (coding: string) => ({ "content-encoding": coding });

test.each(WITH_BODY)(
  "%s at %s refuses every coding before it reads the body",
  async (_, path, { example }) => {
    const body = gzipSync(JSON.stringify(example));
    for (const coding of ["gzip", "br", "GZIP", "identity, gzip", "made-up"]) {
      const refusal = await app.refused(path, "unsupported_media_type", { ...post("", coded(coding)), body });
      expect([refusal.status, refusal.headers.get("accept-encoding")]).toEqual([415, "identity"]);
      expect((await refusal.json()).message).toContain("Content-Encoding");
    }
    await app.refused(path, "unsupported_media_type", post("x".repeat(300_000), coded("gzip")));
  },
);

test("a body with Content-Encoding identity is taken", async () => {
  const body = { from: "USD", pairs: [["EUR", 1]] };
  for (const coding of ["identity", "Identity", ""])
    expect((await app.ask("/v1/convert", post(body, coded(coding)))).status).toBe(200);
});

/** Values that the schema of a member excludes. */
function wrongFor({ type, minLength, maxLength, enum: values, pattern, minItems, items }: Json) {
  if (type === "boolean" || type === "object") return ["text"];
  if (type === "array")
    return [{}, ...(minItems > 0 ? [[]] : []), ...(items.enum === undefined ? [] : [["none of them"]])];
  return [
    ...[5, null],
    ...(minLength > 0 ? [""] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(values === undefined ? [] : ["none of them"]),
    // What is a pair is said with a code of its own: test/api/4xx.test.ts.
    ...(pattern === undefined || /A-Z/.test(pattern) ? [] : ["a\u0000b"]),
  ];
}

describe.each(SHAPED)("%s at %s", (_, path, { schema, example }) => {
  const pathsIn = async (body: unknown) => {
    const refusal = await app.refused(path, "validation_error", post(body));
    const { errors } = (await refusal.json()) as { errors: { path: string }[] };
    return errors.map((issue) => issue.path);
  };

  test("400 where it is no JSON", async () => {
    for (const body of ["{", "not json", "\u0000", "{'a':1}"])
      await app.refused(path, "invalid_request", post(body));
  });

  test("413 above the limit, and 415 of another type or without one", async () => {
    await app.refused(path, "payload_too_large", post(`"${"x".repeat(280_000)}"`));
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
    ])
      await app.refused(path, "unsupported_media_type", post("{}", { "content-type": type }));
  });

  test("422 where it is no object, a member is missing, or is none of the documented", async () => {
    for (const body of ["[]", "null", '"text"', "1"]) expect(await pathsIn(body)).toEqual([""]);
    for (const member of schema["required"] ?? [])
      expect(await pathsIn({ ...(example as object), [member]: undefined })).toContain(`/${member}`);
    if (schema["additionalProperties"] === false)
      expect(await pathsIn({ ...(example as object), surprise: 1 })).toEqual(["/surprise"]);
  });

  test("422 names each member whose value its schema excludes", async () => {
    for (const [member, property] of Object.entries<Json>(schema["properties"]))
      for (const value of wrongFor(property)) {
        const [path] = await pathsIn({ ...(example as object), [member]: value });
        expect([member, value, path?.split("/")[1]]).toEqual([member, value, member]);
      }
  });
});
