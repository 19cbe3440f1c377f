/** Bodies are encoded as JSON.stringify would, but for what is no plain text. */

import { expect, test } from "bun:test";
import { encodePieces } from "#api/response/json.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

test("texts are what JSON.stringify makes of them, whatever is in them", () => {
  const random = seededRandom(20_261_126);
  const parts = [
    "EUR",
    "ecb_daily",
    "2026-04-13T16:30:00Z",
    " ",
    ".",
    ",",
    "/",
    '"',
    "\\",
    "\n",
    "\t",
    "\u0000",
    "\u007f",
  ];
  parts.push("é", "€", "😀", "\ud800", "<", "'", "\u2028", "`");
  for (let nth = 0; nth < 5_000; nth++) {
    let text = "";
    for (let part = 0; part < nth % 7; part++) text += parts[Math.floor(random() * parts.length)];
    expect(encodePieces({ text, list: [text] })).toEqual([JSON.stringify({ text, list: [text] })]);
  }
});

test("other values are what JSON.stringify makes of them", () => {
  const body = {
    number: 0.858000858,
    tiny: 1e-21,
    negative: -0,
    none: null,
    no: false,
    absent: undefined,
    list: [],
  };
  expect(encodePieces(body)).toEqual([JSON.stringify(body)]);
});
