/** A command on a pseudo-terminal, as a person sees it: of a width, with what is typed. Needs Python, which has the terminal. */

import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";

const ROOT = join(import.meta.dir, "..", "..");

/** Types each text when the screen has shown the one before it in the list of prompts; prints all that was shown. */
const PROGRAM = `
import fcntl, json, os, pty, struct, sys, termios
command, environment, columns, dialogue = json.loads(sys.argv[1])
pid, screen = pty.fork()
if pid == 0:
    os.environ.update(environment)
    os.execvp(command[0], command)
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
shown, since = b"", 0
while True:
    try:
        part = os.read(screen, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    if dialogue and dialogue[0][0].encode() in shown[since:]:
        since = len(shown)
        os.write(screen, dialogue.pop(0)[1].encode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"shown": shown.decode(), "code": code}))
`;

export interface Shown {
  /** With control sequences; lines end in "\r\n". */
  readonly shown: string;
  readonly code: number;
}

export const terminalPython = optionalPython(["pty", "termios"], "the command line on a terminal");

/** `dialogue`: pairs of a text that is waited for and what is typed then. */
export async function onTerminal(
  words: readonly string[],
  environment: Record<string, string>,
  {
    columns = 80,
    dialogue = [],
  }: { columns?: number; dialogue?: readonly (readonly [string, string])[] } = {},
): Promise<Shown> {
  const command = [process.execPath, "src/main.ts", ...words];
  const request = JSON.stringify([command, { TERM: "xterm-256color", ...environment }, columns, dialogue]);
  // The terminal is of the test's making: the check's own wishes about colours are not meant for it.
  const env = { NO_COLOR: undefined, FORCE_COLOR: undefined };
  return JSON.parse(await run([terminalPython as string, "-c", PROGRAM, request], { cwd: ROOT, env }));
}
