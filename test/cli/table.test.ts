import { describe, expect, test } from "bun:test";
import { ageOf, tableOf, wrapped } from "#cli/show.ts";
import { openTerminal } from "#cli/terminal.ts";
import { eventLog } from "#commands/open-product.ts";
import { exactNumber, parseExact } from "#domain/net/message.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { sinkOf } from "#test/commands/captured.ts";
import { runInProcess } from "#test/commands/process.ts";
import { listen } from "#test/support/listen.ts";

const PLAIN = { isTerminal: false, hasColour: false, columns: Number.POSITIVE_INFINITY, lines: 24 };
const COLUMNS = [
  { head: "code" },
  { head: "rate", align: "point" },
  { head: "title", optional: true },
] as const;

describe("a table", () => {
  test("leaves out optional columns where the screen is too narrow, and no others", () => {
    const rows = [["A", "0.8359", "a long title"]];
    expect(tableOf({ ...PLAIN, columns: 20 }, COLUMNS, rows).lines).toEqual(["code    rate", "A     0.8359"]);
    expect(tableOf({ ...PLAIN, columns: 3 }, COLUMNS, rows).lines).toEqual(["code    rate", "A     0.8359"]);
  });

  test("colours only on a screen that has colours, and never the blanks", () => {
    const rows = [[{ text: "A", colour: "red" }, "1", ""] as const];
    expect(tableOf({ ...PLAIN, hasColour: true }, COLUMNS, rows).lines[1]).toBe("\x1b[31mA\x1b[0m        1");
    expect(tableOf(PLAIN, COLUMNS, rows).lines.join("")).not.toContain("\x1b");
  });

  test("prints no control character of a server", () => {
    expect(tableOf(PLAIN, COLUMNS, [["\x1b[2J", "1", ""]]).lines[1]).toStartWith("?[2J");
    // The members of a series are its columns.
    expect(tableOf(PLAIN, [{ head: "EUR\x1b[8m" }], []).lines).toEqual(["EUR?[8m"]);
  });
});

test("every number keeps the digits with which it was sent", () => {
  const texts = ["0.85670", "1e-7", "12345678901234567890.123", "-0.0"];
  expect(parseExact(`[${texts.join(",")}]`)).toEqual(texts.map((text) => exactNumber(text)));
});

test("ages are whole units, rounded down", () => {
  const of = (instant: string) => ageOf(instant, "2026-04-13T16:30:00Z");
  expect([
    of("2026-04-13T16:29:15Z"),
    of("2026-04-13T16:15:30Z"),
    of("2026-04-13T13:00:00Z"),
    of("2026-04-03T16:00:00Z"),
    of("2026-04-13T16:30:05Z"),
  ]).toEqual(["45 s", "14 min", "3 h", "10 d", "0 s"]);
});

test("text is broken between words; a word that is too long has a line of its own", () => {
  expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapped("a considerably b", 5)).toEqual(["a", "considerably", "b"]);
});

test("a rate that is stale or filled from an earlier day says so", async () => {
  const { url } = listen(openTestApp({ now: NOW + 2 * 86_400_000 }).answer);
  const printed = async (line: string) => (await runInProcess(line.split(" "), { CROSSRATE_URL: url })).out;
  expect(await printed("latest EUR USD")).toMatch(/^USD .* stale$/m);
  expect(await printed("convert 1 EUR USD")).toMatch(/^USD .* stale$/m);
  expect(await printed("convert 1 EUR USD 2026-04-11")).toContain("filled from an earlier day");
});

function captured(isTTY: boolean) {
  const text = { out: "", err: "" };
  const terminal = openTerminal({
    out: sinkOf((part) => (text.out += part)),
    err: { ...sinkOf((part) => (text.err += part)), isTTY },
  });
  return { text, terminal };
}

test("on a terminal the bar is redrawn in place, and gone at the end and before another line", () => {
  const { text, terminal } = captured(true);
  terminal.progress("history", 1, 4);
  terminal.complain("the disk is full");
  terminal.progress("history", 2, 4);
  terminal.progress("history", 4, 4);
  terminal.print("done");
  const clear = "\r\x1b[K";
  expect(text.err).toBe(
    `${clear}history █████░░░░░░░░░░░░░░░ 25 %${clear}the disk is full\n${clear}history ${"█".repeat(10)}${"░".repeat(10)} 50 %${clear}`,
  );
  expect(text.out).toBe("done\n");
});

test("off a terminal every tenth part is one plain line", () => {
  const { text, terminal } = captured(false);
  for (let done = 0; done <= 1000; done++) terminal.progress("history", done, 1000);
  expect(text.err.trim().split("\n")).toHaveLength(11);
  expect(text.err).not.toContain("\r");
});

test("events are logged with the time of the product, and not at all with LOG_LEVEL=silent", () => {
  const { text, terminal } = captured(false);
  for (const level of ["warn", "silent"] as const)
    eventLog(terminal, level, () => 0)({ kind: "archive_read_only", detail: "x" });
  expect(text.err).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","event":"archive_read_only","detail":"x"}\n',
  );
});
