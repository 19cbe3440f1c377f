/** The route table: literal segments before parameters, a slash at the end has no meaning, and no unknown path is found. */

import { expect, test } from "bun:test";
import type { Route } from "#http/request/route.ts";
import { allowedMethods, newRouteTable } from "#http/request/router.ts";

const route = (method: Route["method"], path: string): Route => ({
  method,
  path,
  handle: () => new Response(path),
});
const table = newRouteTable([
  route("GET", "/"),
  route("GET", "/v1/:date"),
  route("GET", "/v1/:date/:path_base"),
  route("GET", "/v1/latest"),
  route("GET", "/v1/latest/:path_base"),
  route("POST", "/v1/keys/rotate"),
  route("DELETE", "/v1/keys"),
  route("GET", "/hooks/:id/deliveries"),
  route("POST", "/hooks/deliveries/:id/replay"),
]);
const found = (method: string, path: string) => {
  const { route: of, params } = table.find(method, path) ?? {};
  return of === undefined ? null : [of.path, params];
};

test.each([
  ["GET", "/", "/", {}],
  ["GET", "/v1/latest", "/v1/latest", {}],
  ["HEAD", "/v1/latest/", "/v1/latest", {}],
  ["GET", "/v1/latest/EUR", "/v1/latest/:path_base", { path_base: "EUR" }],
  ["GET", "/v1/2026-04-10/EUR/", "/v1/:date/:path_base", { date: "2026-04-10", path_base: "EUR" }],
  ["GET", "/v1/%32026/a%2Fb", "/v1/:date/:path_base", { date: "2026", path_base: "a/b" }],
  ["GET", "/v1/%zz", "/v1/:date", { date: "\uFFFD" }],
  ["GET", "/hooks/deliveries/deliveries", "/hooks/:id/deliveries", { id: "deliveries" }],
  ["POST", "/hooks/deliveries/7/replay", "/hooks/deliveries/:id/replay", { id: "7" }],
] as const)("%s %s is %s", (method, path, pattern, params) => {
  expect(found(method, path)).toEqual([pattern, params]);
});

test.each(["/v1", "/v1//EUR", "/v1/latest/EUR/x", "/v1/latest//", "/v2/latest", "//", "/V1/latest"])(
  "%p has no route",
  (path) => {
    expect(found("GET", path)).toBeNull();
  },
);

test("methods of a path are those of all its routes; a segment that begins a route is no date", () => {
  expect(allowedMethods(table.of("/v1/latest"))).toBe("GET, HEAD, OPTIONS");
  expect(allowedMethods(table.of("/v1/keys"))).toBe("DELETE, OPTIONS");
  expect(allowedMethods(table.of("/v1/keys/mine"))).toBeNull();
  expect(allowedMethods(table.of("/nowhere"))).toBeNull();
  expect([table.isTaken("keys"), table.isTaken("2026-04-10")]).toEqual([true, false]);
});
