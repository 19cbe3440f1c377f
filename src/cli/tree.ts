/** The commands that ask a server, with their arguments and help. Their code is loaded when they are called. */

import { Argument, type Command, type Option } from "commander";
import notes from "#docs/commands.md" with { type: "text" };
import { MEAN_METHODS } from "#domain/history/periods.ts";
import { DAY_RULES } from "#domain/official/conversion.ts";
import { OFFICIAL_KINDS } from "#domain/official/publication.ts";
import { SIGNATURE_HEADER } from "#domain/webhook/endpoint.ts";
import type { Act } from "./command.ts";
import { commandIn, completion, SHELLS } from "./completion.ts";
import {
  asOfOptions,
  choice,
  counted,
  csvOption,
  currencyWords,
  dayOption,
  dpOption,
  flag,
  instantOption,
  jsonOption,
  seriesOptions,
  urlOption,
  valued,
  windowWords,
} from "./words.ts";

/** Adds a command, with its options in the order of its help. docs/commands.md has the end of the help: notes and examples. */
export function command(
  parent: Command,
  name: string,
  summary: string,
  { words = [], options = [], isDefault = false }: CommandText = {},
): Command {
  const made = parent.command(name, { isDefault }).description(summary).helpCommand(false);
  for (const argument of words) made.addArgument(argument);
  for (const option of options) made.addOption(option);
  return made.addHelpText("after", ({ command }) => notesOn(pathOf(command)));
}

interface CommandText {
  readonly words?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly isDefault?: boolean;
}

/** `crossrate keys list`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The section of the notes under a heading, for a terminal: examples are indented, and a lone link becomes its section. */
function notesOn(heading: string): string {
  const [, section = ""] = notes.split(`\n## ${heading}\n`);
  const text = section.split("\n## ", 1)[0] ?? "";
  return text
    .trimEnd()
    .replace(/^```\w+\n(.*?)\n```$/gms, (_, lines: string) => lines.replace(/^/gm, "  "))
    .replace(/^\[.*\]\(#(.*)\)$/gm, (_, name: string) => notesOn(name).trim());
}

export function addRateCommands(program: Command, act: Act): void {
  program.commandsGroup("Ask a server:");
  const outputs = () => [jsonOption(), csvOption(), urlOption()];
  const rates = async () => await import("./rates.ts");
  command(program, "latest", "the newest rates, with source and age", {
    words: currencyWords("[BASE]", "[SYMBOLS...]"),
    options: [dpOption(), ...outputs()],
  }).action(act(async () => (await rates()).latest));
  command(program, "convert", "convert an amount, now or at the rate of a past day", {
    words: currencyWords("[AMOUNT]", "[FROM]", "[TO...]"),
    options: [
      dayOption("--on", "at the rate of that day (now)"),
      valued(
        "--file <FILE>",
        "a table of amounts, each at the rate of its own day",
        "the name of a CSV file",
      ),
      valued("-o, --out <FILE>", "write the converted table (standard output)", "the name of a file"),
      dpOption(),
      ...outputs(),
    ],
  }).action(act(async () => (await import("./rates.ts")).convert));
  command(program, "history", "the rates of a past day", {
    words: [new Argument("[YYYY-MM-DD]"), ...currencyWords("[BASE]", "[SYMBOLS...]")],
    options: [...asOfOptions(), dpOption(), ...outputs()],
  }).action(act(async () => (await rates()).history));
  command(program, "range", "a time series as a table, or as a CSV, Parquet, NDJSON, Arrow or Excel file", {
    words: windowWords(),
    options: [
      valued("-o, --out <FILE>", "write a file; its extension is the format", "the name of a file"),
      ...seriesOptions(flag("--fill", "every calendar day, with the last value where nothing was published")),
      ...outputs(),
    ],
  }).action(act(async () => (await import("./range.ts")).range));
  command(
    program,
    "fluctuation",
    "how rates changed between two days, with the lowest and the highest between",
    {
      words: windowWords(),
      options: [...asOfOptions(), ...outputs()],
    },
  ).action(act(async () => (await rates()).fluctuation));
  command(program, "average", "means of rates over a period, with the first, last, lowest and highest", {
    words: windowWords(),
    options: [
      valued(
        "--period <NAME>",
        "2025, 2025-Q3, 2025-07 or a tax year such as GBR-2025-26, without days",
        "a period",
      ),
      choice("--method", MEAN_METHODS, "the mean of the days with figures, or of all days"),
      ...asOfOptions(),
      ...outputs(),
    ],
  }).action(act(async () => (await rates()).average));
  command(program, "stream", "the newest rates as they change", {
    words: currencyWords("[BASE]", "[SYMBOLS...]"),
    options: [flag("--json", "print a line an event, also on a terminal"), dpOption(), urlOption()],
  }).action(act(async () => (await import("./stream.ts")).stream));
  command(program, "official", "rates that central banks and customs publish, in every version", {
    words: [
      Object.assign(
        new Argument("[COUNTRY]", "or an authority; or changes: what was published and corrected"),
        { argChoices: ["changes"] },
      ),
      new Argument("[TYPE]"),
      new Argument("[PUBLICATION...]"),
    ],
    options: [
      dayOption("--on", "of a table: the publication that is valid on that day (the newest)"),
      valued("--version <N>", "of a publication: an earlier version of it", "a whole number from 1", (text) =>
        /^[1-9]\d{0,5}$/.test(text),
      ),
      flag("--list", "of a table: its newest publications, without rates"),
      instantOption("--since", "of changes: from the first one of then on"),
      valued(
        "--cursor <TEXT>",
        "of changes: what came after that answer, with the same --since",
        "the resume_cursor of an answer",
        (text) => /^[\w-]+\.[\w-]+$/.test(text),
      ),
      jsonOption(),
      urlOption(),
    ],
  }).action(act(async () => (await import("./official.ts")).official));
  const official = commandIn(program, ["official"]);
  command(official, "convert", "convert an amount by the table of an authority, with a line to cite", {
    words: currencyWords("[AMOUNT]", "[FROM]", "[TO...]"),
    options: [
      valued("--country <NAME>", "of the authority: mex, Mexico", "a country"),
      valued("--authority <NAME>", "banxico, nbp, HMRC", "an authority"),
      valued("--type <NAME>", "of the table, where these have several", "a type"),
      dayOption("--on", "the day of the event (today)"),
      choice("--rule", DAY_RULES, "which publication counts (the one in force)"),
      choice("--kind", OFFICIAL_KINDS, "which rate, where a table has several"),
      instantOption("--as-of", "what the server had retrieved then"),
      jsonOption(),
      urlOption(),
    ],
  }).action(act(async () => (await import("./official.ts")).officialConvert));
  command(program, "currencies", "the currencies, their sources, and since when there are rates", {
    options: outputs(),
  }).action(act(async () => (await rates()).currencies));
  command(
    program,
    "completion",
    "a script that completes commands, flags and currencies in bash, zsh or fish",
    {
      words: [
        new Argument("<SHELL>").choices(SHELLS),
        new Argument("[WORDS...]", "print what may come next instead of the script"),
      ],
    },
  ).action(act(async () => completion(program)));
}

export function addAccountCommands(program: Command, act: Act): void {
  program.commandsGroup("Your account:");
  const account = async () => await import("./account.ts");
  command(program, "login", "sign in, and store the session and the API key", {
    options: [
      valued("--email <ADDRESS>", "the account's address (asked for)", "an e-mail address", (text) =>
        /^[^\s@]+@[^\s@]+$/.test(text),
      ),
      flag("--sign-up", "open an account first"),
      urlOption(),
    ],
  }).action(act(async () => (await account()).login));
  command(program, "logout", "end the session and remove what login stored", {
    options: [urlOption()],
  }).action(act(async () => (await account()).logout));
  const keys = command(program, "keys", "show, replace or end your API key");
  command(keys, "list", "the account's key, since when it is there, and when it was used last", {
    options: [flag("--show", "the whole key, not its first characters"), jsonOption(), urlOption()],
    isDefault: true,
  }).action(act(async () => (await account()).listKey));
  command(keys, "rotate", "issue a new key and store it; the old one works for 24 hours more", {
    options: [jsonOption(), urlOption()],
  }).action(act(async () => (await account()).rotateKey));
  command(keys, "revoke", "end every key of the account at once", {
    options: [flag("--yes", "without asking"), jsonOption(), urlOption()],
  }).action(act(async () => (await account()).revokeKeys));
  command(program, "usage", "your plan, the calls of the month, and requests by day", {
    options: [
      counted("--days <N>", "how many days, today included (30)", 1, 90, "number of days"),
      jsonOption(),
      csvOption(),
      urlOption(),
    ],
  }).action(act(async () => (await import("./account.ts")).usage));
  addWebhookCommands(program, act);
}

function addWebhookCommands(program: Command, act: Act): void {
  const webhooks = command(program, "webhooks", "receive, check and test signed webhooks");
  const load = async () => await import("./webhooks.ts");
  const secret = () =>
    valued(
      "--secret <whsec_…>",
      "the signing secret (CROSSRATE_WEBHOOK_SECRET, which other users cannot see)",
      "the endpoint's signing secret",
    );
  command(webhooks, "listen", "a receiver on this machine that checks signatures and prints what comes", {
    options: [
      secret(),
      valued(
        "--port <N>",
        "where to listen (8787; 0 takes a free one)",
        "a port from 0 to 65535",
        (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      ),
      flag("--json", "print lines of JSON, also on a terminal"),
    ],
  }).action(act(async () => (await load()).listen));
  command(
    webhooks,
    "verify",
    "check the signature of a body on standard input; exit code 1 when it is not genuine",
    {
      options: [
        secret(),
        valued(
          "--signature <HEADER>",
          `the value of ${SIGNATURE_HEADER}`,
          `the value of ${SIGNATURE_HEADER}`,
        ),
        flag("--any-age", "also when the signature is older than 5 minutes"),
      ],
    },
  ).action(act(async () => (await load()).verifyEvent));
  command(webhooks, "send-test", "have the server send a test event to an endpoint, or send one from here", {
    words: [new Argument("[ENDPOINT]", "its id (whe_…); may be left out where there is one endpoint")],
    options: [
      valued(
        "--to <URL>",
        "post a signed test event from here to this receiver, also to http",
        "the http or https address of a receiver",
        (text) => /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text),
      ),
      secret(),
      urlOption(),
    ],
  }).action(act(async () => (await load()).sendTest));
}
