/** The grammars of the guides' code: compiled when a page needs them, let go when none did for a while. */

import { afterEach, expect, jest, test } from "bun:test";
import highlighter from "highlight.js/lib/core";
import { htmlOf } from "#web/docs/markdown.ts";

afterEach(() => {
  jest.useRealTimers();
});

test("are let go 20 seconds after the last page, and there again for the next one", () => {
  jest.useFakeTimers();
  const render = () =>
    htmlOf('```json\n{"rate": 17.2}\n```', { anchors: [], origin: "http://localhost:3000" });
  const first = render();
  expect(first).toContain("hljs-number");
  jest.advanceTimersByTime(19_999);
  expect(render()).toBe(first);
  jest.advanceTimersByTime(19_999);
  expect(highlighter.listLanguages()).toContain("json");
  jest.advanceTimersByTime(1);
  expect(highlighter.listLanguages()).toEqual([]);
  expect(render()).toBe(first);
});
