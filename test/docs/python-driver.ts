/** Runs the Python programs of a document one after the other in one interpreter, which loads the libraries once. */

/** What a program printed; `err` also has the fault that it ended with. */
export interface PythonRun {
  readonly out: string;
  readonly err: string;
}

/** Reads a JSON list of programs, each run in a namespace of its own, and prints a JSON list of `PythonRun`. */
export const PYTHON_DRIVER = `
import contextlib, io, json, os, sys, traceback, warnings
warnings.simplefilter("error")
# The programs end with the process, and leave their connections to it.
warnings.simplefilter("ignore", ResourceWarning)
runs = []
for script in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(compile(script, "program", "exec"), {"__name__": "__main__"})
        except Exception:
            traceback.print_exc()
    runs.append({"out": out.getvalue(), "err": err.getvalue()})
json.dump(runs, sys.stdout)
# PyArrow's threads may abort a process that ends as usual (apache/arrow#34314).
sys.stdout.flush()
os._exit(0)
`;
