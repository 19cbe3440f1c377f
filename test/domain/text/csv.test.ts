/** Tables of people: cells in quotes, the line of each record, and what is no table. */

import { expect, test } from "bun:test";
import { CsvFault, csvLine, csvRecords } from "#domain/text/csv.ts";

/** The line of each record, and its cells. */
const linesOf = (text: string) =>
  [...csvRecords(text)].map(({ line, cells }) => `${line} ${cells.join("|")}`);

test.each([
  ["a,b\nc,d\n", ["1 a|b", "2 c|d"]],
  ["a,b\r\nc,d", ["1 a|b", "2 c|d"]],
  ["a,b\rc,d\r", ["1 a|b", "2 c|d"]],
  ["a,,\n,\n", ["1 a||"]],
  ['"a,1","say ""no"""\n', ['1 a,1|say "no"']],
  ['"two\r\nlines",b\r\nc,""\r\n', ["1 two\r\nlines|b", "3 c|"]],
  ["\n  \r\na\n\n\nb", ["3 a", "6 b"]],
  ['a,b\n,,,\n"", \nc,d\n,\n', ["1 a|b", "4 c|d"]],
  ["", []],
])("%j", (text, records) => {
  expect(linesOf(text)).toEqual(records);
});

test.each([
  ['a\n"b', 2, "open"],
  ['a\nb"c,d', 2, "inside"],
  ['a\n\n"b"c', 3, "inside"],
])("%j is no table", (text, line, message) => {
  const read = () => linesOf(text);
  expect(read).toThrow(CsvFault);
  expect(read).toThrow(message);
  try {
    read();
  } catch (fault) {
    expect((fault as CsvFault).line).toBe(line);
  }
});

test("what is written is read again, and a record keeps its text", () => {
  const cells = ["plain", "a,b", 'a "b"', "two\nlines", ""];
  const [record] = csvRecords(csvLine(cells));
  expect(record?.cells).toEqual(cells);
  expect(record?.text).toBe(csvLine(cells));
});
