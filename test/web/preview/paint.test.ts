/** Pictures are painted in a process of its own: what happens when it ends. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { until } from "#test/support/until.ts";
import { openPainter } from "#web/preview/paint.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>';

/** Processes of painters that this one has started. */
function painters(): number[] {
  const children = readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.filter((pid) => commandOf(pid).includes("painter.ts"));
}

/** "" for a process that has just ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test.skipIf(process.platform !== "linux")(
  "a picture whose painter dies is refused with the reason, and the next one has a new painter",
  async () => {
    // Those of other tests end when they have been idle for a while.
    const others = painters();
    const painter = openPainter();
    expect(Buffer.from(await painter.paint(SVG)).toString("latin1", 1, 4)).toBe("PNG");
    const [first] = painters().filter((pid) => !others.includes(pid));
    expect(first).toBeNumber();
    process.kill(first as number, "SIGSTOP");
    const lost = painter.paint(SVG);
    const refusal = lost.then(
      () => "painted",
      (fault: Error) => fault.message,
    );
    process.kill(first as number, "SIGKILL");
    expect(await refusal).toContain("its process has ended");
    expect((await painter.paint(SVG)).byteLength).toBeGreaterThan(50);
    await until("the old one is gone", () => !painters().includes(first as number));
  },
);

test("a text that is no SVG is refused, and the painter goes on", async () => {
  const painter = openPainter();
  expect(painter.paint("no picture")).rejects.toThrow("a picture cannot be made");
  expect((await painter.paint(SVG)).byteLength).toBeGreaterThan(50);
});
