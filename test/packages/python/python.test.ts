import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openServers } from "./servers.ts";

setDefaultTimeout(120_000);
const ROOT = join(import.meta.dir, "..", "..", "..");
const python = optionalPython(
  ["httpx", "pytest", "polars", "pandas", "pyarrow", "duckdb"],
  "the tests of the Python client",
);

describe.skipIf(python === null)("the Python client", () => {
  const servers = ofAllTests(() => openServers());

  test("passes its own tests against real servers", async () => {
    const child = Bun.spawn(
      [
        python as string,
        "-m",
        "pytest",
        "--quiet",
        "--color=no",
        "--tb=short",
        "-p",
        "no:cacheprovider",
        `--basetemp=${join(temporaryDirectory(), "pytest")}`,
        "--strict-markers",
        "-W",
        "error",
        import.meta.dir,
      ],
      {
        cwd: ROOT,
        env: {
          PATH: process.env["PATH"] ?? "",
          TZ: "UTC",
          PYTHONPATH: join(ROOT, "clients/python/src"),
          PYTHONDONTWRITEBYTECODE: "1",
          CROSSRATE_TEST_SERVERS: JSON.stringify(servers.addresses),
        },
        stdout: "pipe",
        stderr: "inherit",
      },
    );
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(output);
    expect(output).toMatch(/^\d+ passed in /m);
    expect(output).not.toMatch(/skipped|xfailed/);
  });
});
