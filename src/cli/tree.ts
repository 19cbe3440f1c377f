/** The commands that ask a server, with their arguments and help. Their code is loaded when they are called. */

import { Argument, type Command, type Option } from "commander";
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
  windowOptions,
  windowWords,
} from "./words.ts";

/** Adds a command, with its options in the order of its help. `more` follows them: paragraphs and examples. */
export function command(
  parent: Command,
  name: string,
  summary: string,
  { words = [], options = [], more, isDefault = false }: CommandText = {},
): Command {
  const made = parent.command(name, { isDefault }).description(summary).helpCommand(false);
  for (const argument of words) made.addArgument(argument);
  for (const option of options) made.addOption(option);
  return more === undefined ? made : made.addHelpText("after", `\n${more}`);
}

interface CommandText {
  readonly words?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly more?: string;
  readonly isDefault?: boolean;
}

export function addRateCommands(program: Command, act: Act): void {
  program.commandsGroup("Ask a server:");
  const outputs = () => [jsonOption(), csvOption(), urlOption()];
  const rates = async () => await import("./rates.ts");
  command(program, "latest", "the newest rates, with source and age", {
    words: currencyWords("[BASE]", "[SYMBOLS...]"),
    options: [dpOption(), ...outputs()],
    more: `Rates are units of each currency for one unit of BASE, which is USD unless it is named. SYMBOLS are codes with commas or
blanks between them; without them every currency is shown. A pair may be one word: USD/EUR, usd-eur or USDEUR. derived: through a third currency. stale: a newer
figure was due and is not there. simulated: made up by the demo.

  crossrate latest
  crossrate latest EUR
  crossrate latest USD EUR,JPY
  crossrate latest EUR/USD
  crossrate latest USD EUR --json`,
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
    more: `The amount is 1 unless it is named. The result is exact: rate times amount, never rounded. Beside it is the amount
rounded to the currency's minor units, half to even. Several targets are several calls.

The first line of FILE names its columns: from, to, amount and date, in any order and beside any others; a column table names an
official table such as gbr/vat. Every row comes back with rate, day, source and citation behind it, or nothing is written
and each faulty line is named. A row is a call; a long file goes in pieces, and a limit of a minute is waited for.

  crossrate convert 100 USD/EUR
  crossrate convert 100 USD EUR --on 2024-03-01
  crossrate convert 2500.50 eur to usd,gbp,jpy
  crossrate convert --file expenses.csv --out converted.csv`,
  }).action(act(async () => (await import("./rates.ts")).convert));
  command(program, "history", "the rates of a past day", {
    words: [new Argument("[YYYY-MM-DD]"), ...currencyWords("[BASE]", "[SYMBOLS...]")],
    options: [...asOfOptions(), dpOption(), ...outputs()],
    more: `The day is a calendar day in UTC, from 1999-01-04 on. On a day without a publication the last one before it is shown and
said so. How far back a caller may ask depends on the plan: without a key 30 days.

  crossrate history 2024-03-01
  crossrate history 2024-03-01 EUR CHF,GBP
  crossrate history 2024-12-23 EUR USD --as-of 2024-12-23T18:00:00Z`,
  }).action(act(async () => (await rates()).history));
  command(program, "range", "a time series as a table, or as a CSV, Parquet, NDJSON, Arrow or Excel file", {
    words: windowWords(),
    options: [
      valued("-o, --out <FILE>", "write a file; its extension is the format", "the name of a file"),
      ...seriesOptions(flag("--fill", "every calendar day, with the last value where nothing was published")),
      ...windowOptions(),
      ...outputs(),
    ],
    more: `Both days are included. A table or a file is one call however long it is. --json prints the server's pages, a body a line;
each page is a call.

A download that is cut is continued where it stopped, also by a later run of the same command; until it is complete the file
is called FILE.part.

  crossrate range USD EUR 2024-01-01 2024-01-31
  crossrate range EUR/CHF 2015-01-12 2015-01-16
  crossrate range USD EUR,JPY 2020-01-01 2024-12-31 --interval 1mo --aggregate mean
  crossrate range EUR '*' 1999-01-04 2024-12-31 -o eur.parquet
  crossrate range USD EUR 2020-01-01 2024-12-31 --fill --csv | head
  crossrate range USD EUR 2015-01-01 2015-01-31 --as-of 2015-01-15T18:00:00Z`,
  }).action(act(async () => (await import("./range.ts")).range));
  command(
    program,
    "fluctuation",
    "how rates changed between two days, with the lowest and the highest between",
    {
      words: windowWords(),
      options: [...asOfOptions(), ...windowOptions(), ...outputs()],
      more: `Both rates are those in force on their day; low and high are those published between. % is of the rate of the first day.

  crossrate fluctuation USD EUR,JPY 2024-01-01 2024-12-31
  crossrate fluctuation EUR/CHF 2015-01-14 2015-01-30`,
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
      ...windowOptions(),
      ...outputs(),
    ],
    more: `The mean is exact, rounded once to ten digits.

  crossrate average EUR USD,GBP --period 2025
  crossrate average GBP EUR,USD --period GBR-2025-26
  crossrate average USD EUR 2024-01-01 2024-06-30 --method calendar`,
  }).action(act(async () => (await rates()).average));
  command(program, "stream", "the newest rates as they change", {
    words: currencyWords("[BASE]", "[SYMBOLS...]"),
    options: [flag("--json", "print a line an event, also on a terminal"), dpOption(), urlOption()],
    more: `On a terminal the table of crossrate latest is redrawn in place, and what has changed is marked. Piped, each event is a
line of JSON, the server's body with "event" in front: snapshot, rates (what has changed), unavailable.
A connection that ends is made again and continues where it stopped. Ctrl-C ends it.

  crossrate stream
  crossrate stream USD EUR,JPY
  crossrate stream EUR USD | while read -r event; do echo "$event"; done`,
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
    more: `Without words it lists the tables, the newest publication first. COUNTRY and TYPE name one, as mex fix; so do the names of its
country and authority, as Mexico or nbp. PUBLICATION is a name out of its list. A rate is as many units of its quote
currency as the table has for so many units of its base. Without --since or --cursor changes are the newest 50.

crossrate admin official shows how a server of this machine collects them.

  crossrate official
  crossrate official mex fix
  crossrate official banxico
  crossrate official pol a --list
  crossrate official gbr monthly --on 2026-04-13
  crossrate official changes --since 2026-04-13T00:00:00Z`,
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
    more: `Rates are as printed; the amount is exact, and beside it rounded to minor units, half to even. Currencies may be outside the catalog.

  crossrate official convert 250 USD/MXN --authority banxico --type fix
  crossrate official convert 1000 EUR PLN --country pol --type a --on 2026-04-13 --rule previous_business_day
  crossrate official convert 99.50 usd gbp --authority HMRC`,
  }).action(act(async () => (await import("./official.ts")).officialConvert));
  command(program, "currencies", "the currencies, their sources, and since when there are rates", {
    options: outputs(),
    more: `minor is the number of decimals of an amount (ISO 4217); since is the first day with a rate against the dollar.

  crossrate currencies
  crossrate currencies --csv > currencies.csv`,
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
      more: `  source <(crossrate completion bash)                                       # in ~/.bashrc
  crossrate completion zsh > "\${fpath[1]}/_crossrate"                       # then start a new zsh
  crossrate completion fish > ~/.config/fish/completions/crossrate.fish`,
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
    more: `Asks for the e-mail address and, without showing it, for the password; where input is piped, its first line is the
password. The account's key is issued where there is none. Session and key are stored in
~/.config/crossrate/logins.json (below $XDG_CONFIG_HOME where that is set), which only its owner can read. They are
sent to this server alone. It is the server of the other commands from then on, unless --url or CROSSRATE_URL name another.
A session ends after 30 days; the key stays.

  crossrate login
  crossrate login --url https://rates.example.org --email you@example.org
  crossrate login --email you@example.org < password.txt`,
  }).action(act(async () => (await account()).login));
  command(program, "logout", "end the session and remove what login stored", {
    options: [urlOption()],
    more: `The stored session is removed in any case. Where the server cannot be reached its session ends by itself, 30 days after the
sign-in; the exit code then says so. The API key still works: crossrate keys revoke ends it.`,
  }).action(act(async () => (await account()).logout));
  const keys = command(program, "keys", "show, replace or end your API key", {
    more: `These need a session: crossrate login. An operator's commands on the keys of all organizations are crossrate admin keys.

  crossrate keys
  export CROSSRATE_API_KEY=$(crossrate keys list --show)
  crossrate keys rotate`,
  });
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
    more: `Calls of the month count against the plan; a batch counts one a pair. Below it are the requests of each day in UTC
that were answered, and those that a limit refused.

  crossrate usage
  crossrate usage --days 7
  crossrate usage --csv`,
  }).action(act(async () => (await import("./account.ts")).usage));
  addWebhookCommands(program, act);
}

function addWebhookCommands(program: Command, act: Act): void {
  const webhooks = command(program, "webhooks", "receive, check and test signed webhooks", {
    more: `  CROSSRATE_WEBHOOK_SECRET=whsec_… crossrate webhooks listen
  crossrate webhooks send-test --to http://127.0.0.1:8787 --secret whsec_…
  crossrate webhooks verify --signature "$HEADER" --secret whsec_… < body.json
  crossrate webhooks send-test`,
  });
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
    more: `It is plain HTTP on 127.0.0.1. A server sends to public https addresses only: point a tunnel or a
reverse proxy with TLS at the port, and enter its https address as the endpoint's.`,
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
    more: "The first needs a session (crossrate login), and waits for the outcome.",
  }).action(act(async () => (await load()).sendTest));
}
