/** Runs before every test file: the tests use UTC and English on every machine, and leave nothing behind. */

import { afterAll } from "bun:test";
import { endAll } from "./at-end.ts";

process.env["TZ"] = "UTC";

afterAll(endAll, 30_000);
