import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ended } from "#test/clients/process.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startDemo } from "./running-demo.ts";

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
  "response_headers_conformance",
  "unsupported_method",
  "allow_header_conformance",
];
/** At random, beside the systematic ones, which are forty for each operation. */
const EXAMPLES_PER_OPERATION = Number(process.env["SCHEMATHESIS_EXAMPLES"] ?? 1);
/** Below what a healthy run makes: fewer means that it left much out. */
const FEWEST_REQUESTS = 2000;
const TIMEOUT_MILLISECONDS = 180_000;

const python = optionalPython(
  ["schemathesis"],
  "the interface under generated requests (test/api/schemathesis.test.ts)",
);

describe.skipIf(python === null)("under generated requests", () => {
  const demo = ofAllTests(startDemo);

  test(
    "every answer is documented and none is a server fault",
    async () => {
      const { code, out, err } = await ended(
        [
          python as string,
          "-c",
          "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())",
          `--config-file=${join(import.meta.dir, "schemathesis.toml")}`,
          "run",
          `${demo.url}/openapi.json`,
          `--checks=${CHECKS.join(",")}`,
          `--max-examples=${EXAMPLES_PER_OPERATION}`,
          "--phases=examples,coverage,fuzzing",
          "--continue-on-failure",
          "--seed=20260413",
          "--generation-database=none",
          "--no-color",
        ],
        // It writes into the directory that it is started in.
        { cwd: temporaryDirectory(), timeout: TIMEOUT_MILLISECONDS },
      );
      const output = out + err;
      if (code !== 0) throw new Error(output);
      const generated = Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
      expect(generated).toBeGreaterThan(FEWEST_REQUESTS);
    },
    TIMEOUT_MILLISECONDS,
  );
});
