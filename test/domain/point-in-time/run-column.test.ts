import { expect, test } from "bun:test";
import { runColumn } from "#domain/point-in-time/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

test("every row has the instant of its run, in whatever order rows are read", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 50; round++) {
    const rows: number[] = [];
    const starts: number[] = [];
    const instants: number[] = [];
    for (let run = 0; run <= round; run++) {
      const instant = Math.floor(random() * 5);
      starts.push(rows.length);
      instants.push(instant);
      for (let length = Math.floor(random() * 4); length >= 0; length--) rows.push(instant);
    }
    const column = runColumn(starts, instants);
    expect(rows.map((_, row) => column.at(row))).toEqual(rows);
    for (let read = 0; read < 200; read++) {
      const row = Math.floor(random() * rows.length);
      expect(column.at(row)).toBe(rows[row] as number);
    }
  }
});
