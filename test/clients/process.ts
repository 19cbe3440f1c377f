/** Programs that are run to their end, with what they printed. */

/** Of a failed program's output: the end, which has the reason. */
const SHOWN_CHARACTERS = 4_000;

export interface Program {
  readonly cwd?: string;
  /** Beside the environment of this process, or alone. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly isAlone?: boolean;
  readonly input?: string;
  readonly timeout?: number;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function ended(
  command: readonly string[],
  { cwd, env, isAlone = false, input = "", timeout = 600_000 }: Program = {},
): Promise<Ended> {
  const stdin = new TextEncoder().encode(input);
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: isAlone ? { ...env } : { ...process.env, ...env },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout,
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** Standard output; rejects with the end of all that it printed when the program fails. */
export async function run(command: readonly string[], place?: Program): Promise<string> {
  const { code, out, err } = await ended(command, place);
  if (code === 0) return out;
  throw new Error(`${command.join(" ")} ended with ${code}\n${`${out}${err}`.slice(-SHOWN_CHARACTERS)}`);
}

/** The same of a program that may not complain either. */
export async function runQuietly(command: readonly string[], place?: Program): Promise<string> {
  const { code, out, err } = await ended(command, place);
  if (code === 0 && err === "") return out;
  throw new Error(`${command.join(" ")} ended with ${code}\n${err.slice(-SHOWN_CHARACTERS)}`);
}
