import { expect, test } from "bun:test";
import { openTerminal } from "#cli/terminal.ts";
import { eventLog } from "#commands/open-product.ts";
import { sinkOf } from "#test/commands/captured.ts";

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
