/** Runs before every test file: the tests speak UTC and English, whatever machine they run on, and leave nothing behind. */

import { afterAll } from "bun:test";
import { endAll } from "./at-end.ts";

process.env["TZ"] = "UTC";

afterAll(endAll, 30_000);
