/** Every route of the operators' pages, present and future: none is open without a session, and Elysia runs each as it reads. */

import { expect, test } from "bun:test";
import { operatorApp } from "#operate/server.ts";

const HOST = "127.0.0.1:9470";
const OPEN = ["/", "/favicon.ico", "/site/:file", "/operator/sign-in"];
const AsyncFunction = (async () => {}).constructor;

const tools = { clock: { now: () => 1 } };
const app = operatorApp({ host: "127.0.0.1", port: 9470, token: "", tools, figures: {} } as never);

test("every handler is an async function: of others Elysia guesses from the source whether they give a promise", () => {
  expect(app.routes.length).toBeGreaterThan(20);
  const plain = app.routes.filter(({ handler }) => !(handler instanceof AsyncFunction));
  expect(plain.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("no route but the sign-in and its files does anything without a session", async () => {
  for (const { method, path } of app.routes) {
    if (OPEN.includes(path)) continue;
    for (const spelling of [path, `${path}/`, `${path}?x=/operator/sign-in`]) {
      const url = `http://${HOST}${spelling.replace(":id", "idn_1")}`;
      const headers = { host: HOST, origin: `http://${HOST}` };
      const { status } = await app.fetch(new Request(url, { method, headers }));
      expect([method, spelling, status]).toEqual([method, spelling, method === "GET" ? 303 : 401]);
    }
  }
});
