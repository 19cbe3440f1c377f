/** Programs that are run to their end, with what they printed. */

const LONGEST_MILLISECONDS = 10 * 60_000;
/** Of a failed program's output: the end, which has the reason. */
const SHOWN_CHARACTERS = 4_000;

export interface Running {
  readonly cwd?: string;
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Standard output of a program; rejects with the end of all that it printed when it fails or takes more than 10 minutes. */
export async function run(command: readonly string[], { cwd, env = {} }: Running = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: LONGEST_MILLISECONDS,
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return out;
  throw new Error(`${command.join(" ")} failed\n${`${out}${err}`.slice(-SHOWN_CHARACTERS)}`);
}
