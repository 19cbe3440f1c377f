/** The commands on this machine's stores, with their arguments and help. Their code is loaded when they are called. */

import { Argument, type Command } from "commander";
import { type Act, UsageFault } from "#cli/command.ts";
import { commandIn } from "#cli/completion.ts";
import { command } from "#cli/tree.ts";
import {
  choice,
  counted,
  currencyWords,
  flag,
  seriesOptions,
  urlOption,
  valued,
  windowOptions,
  windowWords,
} from "#cli/words.ts";
import { CURRENCY_CODES, currencyCode, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { FEEDS, RELEASED_RATIO } from "#domain/live/live-quote.ts";
import type * as accountCommands from "./accounts.ts";

const newLedgerOption = () => flag("--new-ledger", "begin an empty ledger where the old one is gone");

const NEW_LEDGER = `--new-ledger: begin an empty ledger where the one of DATA_DIR or DATABASE_URL is gone, or go on with another one.
Without it that is refused: accounts, API keys, usage, official publications and webhook deliveries are in the ledger.
Use it once, then leave it away. It never removes a ledger that can be read.`;

/** `asking` commands end by the signal of their context; `lasting` commands with the process, or by themselves. */
export function addServerCommands(program: Command, asking: Act, lasting: Act): void {
  command(
    program,
    "mcp",
    "give the rates to a language model, by the Model Context Protocol over standard input and output",
    {
      options: [
        urlOption("the server (CROSSRATE_URL, else the one of the last login, else no server)"),
        flag("--local", "no server: the lake in DATA_DIR, even if the environment names a server"),
      ],
      more: `A client such as an editor or a chat program starts this command and speaks with it; nothing is typed here. With a server,
a call of a tool is a call of its REST interface, with the key of CROSSRATE_API_KEY or of the last login, its plan and its limits.
Without one, the lake in DATA_DIR is read, beside a running server or without any, and without limits; live rates
are those that the lake had when the command started. docs/mcp.md lists the tools and the set-up of common clients. A server
answers the same protocol over HTTP at /v1/mcp/.

  crossrate mcp --url https://rates.example.org
  DATA_DIR=/var/lib/crossrate crossrate mcp --local`,
    },
  )
    .helpGroup("Ask a server:")
    .action(asking(async () => (await import("./mcp.ts")).mcp));
  program.commandsGroup("Run a server:");
  // Unknown options and arguments are let through: they were meant as settings, and the command explains settings.
  command(program, "serve", "serve real rates; a new lake begins with the packaged history of the ECB", {
    options: [newLedgerOption()],
    more: `Listens on HOST:PORT and answers from the lake under DATA_DIR. An empty lake begins with the packaged
history of the ECB; then the days since and the H.10 series are collected, and /status says what is missing.
Then the sources are polled around their publication times, and the last 90 days are re-read daily for
corrections. Callers need no key up to the anonymous limits; ACCESS=open switches keys and limits off. Settings come
from the environment; see docs/configuration.md. Ctrl-C, SIGTERM or a closed terminal stops it: it answers on for
SHUTDOWN_DELAY_SECONDS with 503 at /status, and running requests get up to 15 seconds; a second one ends it at once.

${NEW_LEDGER}

  crossrate serve
  PORT=4000 ACCESS=open crossrate serve`,
  })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(lasting(async () => (await import("./run-server.ts")).serve));
  command(program, "demo", "try everything at once: no network, no keys, no services", {
    options: [flag("--simulated", "simulate the history, too"), newLedgerOption()],
    more: `Starts a simulator of the upstreams, each in its own wire format over HTTP on this machine, and the product in
front of it. The daily rates of the ECB are its own, from 1999 to the file that comes with the program; the clock
begins on that file's last day. Live rates, TWD, the tables of Mexico and all later days are simulated: an answer names
what is in \`simulated\` and after SIMULATED in its notice. With --simulated, or with NOW before that day, all is.
The data lies in data/demo (DATA_DIR), and \`serve\` refuses to use it. With its first rates it prints its address and an
API key; once every source is read it prints calls to copy, an account to sign in with, and where its webhooks arrive.

${NEW_LEDGER}

  crossrate demo
  PORT=4000 crossrate demo
  NOW=2026-04-13T16:30:00Z crossrate demo --simulated`,
  })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(lasting(async () => (await import("./demo.ts")).demo));
  command(
    program,
    "doctor",
    "check a server, and the installation on this machine: settings, stores, clock, sources",
    {
      options: [
        flag("--server", "only the server, as a user meets it"),
        flag("--local", "only the installation on this machine"),
        flag("--json", "print the findings as JSON"),
        urlOption(),
      ],
      more: `Of a server it checks whether it answers, its clock against this machine's, its stores and sources as it reports them, and
whether your key works. Of an installation on this machine it checks settings, disk, lake (every file), ledger, Redis, and
whether every source can be reached. That part is left out where --url or CROSSRATE_URL name a server and there is no
data here. Each fault comes with what to do. Exit code 1 when something is broken. Nothing is changed.

  crossrate doctor
  crossrate doctor --server --url https://rates.example.org
  DATA_DIR=data/live crossrate doctor --local`,
    },
  ).action(asking(async () => (await import("./doctor.ts")).doctor));
  addOperatorCommands(program, lasting);
}

type AccountCommand = keyof typeof accountCommands;

function addOperatorCommands(program: Command, act: Act): void {
  const add = (
    parent: Command,
    rows: readonly (readonly [string, AccountCommand, string, ...Argument[]])[],
  ) => {
    for (const [name, member, summary, ...words] of rows)
      command(parent, name, summary, {
        words,
        options: [flag("--json", "print JSON instead of a table"), newLedgerOption()],
      }).action(act(async () => (await import("./accounts.ts"))[member]));
  };
  const accounts = command(
    program,
    "accounts",
    "list, find, suspend people and organizations; make administrators and reset links; read the audit log",
    {
      more: `Every change is written to the audit log as the operator's. It takes effect at once in the ledger, and within seconds in
running servers. Exit code 1 when there is no such account. The ledger is that of DATA_DIR, or of DATABASE_URL: for
the demo's accounts set DATA_DIR=data/demo.

${NEW_LEDGER}

  crossrate accounts create-admin you@example.org
  crossrate accounts find fxk_0123456789AB
  crossrate accounts tier org_… pro
  crossrate accounts audit --subject organization:org_… --limit 10 --json`,
    },
  );
  const who = new Argument("<WHO>", "an e-mail address, an id, or the beginning of a key");
  const email = new Argument("<EMAIL>").argParser(addressOf);
  const id = new Argument("<ID>", "of a person (idn_…) or an organization (org_…)");
  const tier = new Argument("<TIER>", "free, basic, plus or pro");
  add(accounts, [
    ["list", "listPeople", "every person, with organization and tier"],
    ["find", "findPeople", "one person with organization and keys", who],
    [
      "create-admin",
      "createAdmin",
      "makes an administrator of the address, and prints the link to set a password",
      email,
    ],
    [
      "reset-link",
      "printResetLink",
      "prints a link to set a new password: for one hour, once; earlier links stop working",
      email,
    ],
    ["suspend", "suspend", "shuts a person or an organization out; a person's sessions end", id],
    ["resume", "resume", "lets them in again", id],
    [
      "tier",
      "setTier",
      "gives an organization a tier, independent of purchases",
      new Argument("<ORG>"),
      tier,
    ],
    ["audit", "printAudit", "who changed what and when, newest first"],
  ]);
  commandIn(accounts, ["audit"])
    .addOption(
      valued(
        "--subject <KIND:ID>",
        "only what was done to this one (everything)",
        "a subject such as organization:org_… or identity:idn_…",
        (text) => /^[a-z_]+:\S+$/.test(text),
      ),
    )
    .addOption(counted("--limit <N>", "entries to show (50)", 1, 10_000));
  const admin = command(
    program,
    "admin",
    "the operator's view of API keys and of official tables, on this machine's stores",
    {
      more: `Both work on the stores of DATA_DIR, or on the database of DATABASE_URL, beside a running server. crossrate keys and
crossrate official are those of a user, and ask a server.

  crossrate admin keys list org_…
  crossrate admin official`,
    },
  );
  const keys = command(admin, "keys", "API keys of every organization: list, revoke, rewrap", {
    more: `No command prints a key: only its owner can see it. Exit code 1 when there is no such key or organization, or when a key
or secret could not be decrypted. After a new master key was put first in MASTER_KEYS, rewrap encrypts every key and every
webhook secret under it, and the old master key can be taken out afterwards. It is safe to interrupt, to repeat, and beside
running servers.

  crossrate accounts find fxk_0123456789AB     # the owner of a key, and the ids
  crossrate admin keys list org_…
  crossrate admin keys revoke key_…`,
  });
  const organization = new Argument("<ORG>", "its id (org_…); crossrate accounts list shows them");
  const key = new Argument("<KEY>", "its id (key_…); crossrate admin keys list ORG shows them");
  add(keys, [
    ["list", "listKeys", "the keys of an organization, newest first, revoked ones too", organization],
    ["revoke", "revokeKey", "ends one key at once; its owner gets a new one by rotating", key],
    ["rewrap", "rewrapKeys", "encrypts every key and webhook secret under the master key that is first now"],
  ]);
  command(admin, "official", "list the official tables, what was collected of each and when", {
    options: [newLedgerOption()],
    more: `Each table is listed with its id, for crossrate collect and OFFICIAL_TABLES, and its path below
/v1/official. The list includes collections of a running server. crossrate official asks a server what it has published.

${NEW_LEDGER}`,
  }).action(act(async () => (await import("./collect.ts")).printOfficial));
}

function addressOf(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new UsageFault("name an e-mail address");
  return text;
}

export function addDataCommands(program: Command, asking: Act, lasting: Act): void {
  program.commandsGroup("Look after data:");
  command(program, "backfill", "collect the whole history where it is missing, then the last 90 days", {
    words: [new Argument("[official]", "the histories of the official tables instead").choices(["official"])],
    options: [newLedgerOption()],
    more: `Safe to repeat and to interrupt: stored figures are not changed. Exit code 1 when a source failed.

With "official" it loads the histories of the official tables instead, except those that were read whole before. That
takes an hour or so, because some authorities have a document for every day; a running server need not be stopped.
They go into the ledger. A year without its document is skipped and named; the exit code is 1.

${NEW_LEDGER}

  crossrate backfill
  crossrate backfill official`,
  }).action(lasting(async () => (await import("./collect.ts")).backfill));
  const source = new Argument("<SOURCE>", "a daily source, or the id of an official table");
  source.argChoices = [...DAILY_SOURCES];
  command(program, "collect", "collect one source or one official table once", {
    words: [source, new Argument("[REACH]").choices(["latest", "recent", "history"])],
    options: [newLedgerOption()],
    more: `  latest   the newest figures, or the newest publication (the default)
  recent   the last 90 days, of an official table the last weeks, for corrections
  history  everything since 1999, or since the table began

crossrate admin official lists the tables, which go into the ledger. Exit code 1 when the source failed.

${NEW_LEDGER}

  crossrate collect ecb_daily
  crossrate collect fred_daily recent
  crossrate collect pol_a history`,
  }).action(lasting(async () => (await import("./collect.ts")).collect));
  addExport(program, asking);
  addImport(program, lasting);
  command(program, "compact", "checkpoint the tables, remove versions older than the retention", {
    more: `A running server does this each night; by hand it is for where no server runs. Quotes that a killed server left in its
journal are written to the table first, and dates older than INTRADAY_DAYS are removed, where it is set; beside a
running server both are left to it. Safe to interrupt, to repeat, and while others read the files.

  crossrate compact`,
  }).action(lasting(async () => (await import("./maintenance.ts")).compact));
  command(program, "verify", "read every file of the lake and say what is damaged or was changed", {
    words: [
      new Argument(
        "[what]",
        "head: print the newest entry of the signed history, to be kept elsewhere; new-key: sign the history with a new key from now on, the old one signs the change",
      ).choices(["head", "new-key"]),
    ],
    options: [
      flag("--lake", "the lake, as without it"),
      valued(
        "--against <FILE>",
        "find any rewriting since the head in this file, by whomever",
        "a file with a head that was kept",
      ),
      urlOption("a server's signed history, instead of the data directory"),
    ],
    more: `Each data file has its size and SHA-256 in the log of its table, and each entry of a log has its own. All of them are
read and compared. Then the signed history: its hashes and signatures, and whether every commit and every list of files is what
was signed. With LAKE_URL the bucket is read, not the copy of this machine. Nothing is changed, and a running server need not be stopped.

Exit code 1 when something is damaged or was changed: one line each says what. crossrate repair says how to go on.

  crossrate verify
  crossrate verify head > head.json
  crossrate verify --against head.json
  crossrate verify --url https://rates.example.org --against head.json`,
  }).action(asking(async () => (await import("./verify.ts")).verify));
  command(program, "repair", "go on without the damaged files of the lake", {
    options: [flag("--yes", "do it")],
    more: `Without --yes it only prints what it would do. Restore damaged files from a backup first: a file that matches the
log again needs no repair.

With --yes damaged files are moved to lake/damaged, and the tables go on without them. Where an older version of the
same partition is intact it takes their place. Then the history of the sources concerned is collected again. What
authorities no longer publish is lost: superseded values, and when a figure was first retrieved; live quotes of a
damaged day, except those of an older version. Stop the server first.`,
  }).action(lasting(async () => (await import("./maintenance.ts")).repair));
  addDecisions(program, lasting);
}

function addExport(program: Command, act: Act): void {
  command(program, "export", "write daily rates, bars or quotes to a file or to standard output", {
    words: windowWords(),
    options: [
      valued("-o, --out <FILE>", "where to (standard output)", "the name of a file"),
      ...seriesOptions(
        choice(
          "--fill",
          ["none", "previous"],
          "days without a publication: no row, or the last value (none)",
        ),
      ),
      ...windowOptions(),
      flag("--demo", "the demo's made-up rates, from data/demo or DATA_DIR"),
    ],
    more: `Words are those of crossrate range; each can be an option, and the bytes are those of GET /v1/range. The format is that of --format, else
of the extension of --out, else csv. A file appears under its name only when it is complete. Works beside a running
server; what the server has accepted within the last minute and not yet written to the lake's files is not in quotes
and bars. Exit codes: 0 done, 1 nothing to export or it failed, 2 wrong options.

  crossrate export USD '*' 1999-01-04 2026-11-20 -o usd.parquet
  crossrate export EUR USD,CHF 2024-01-01 2024-12-31 --layout wide | head
  crossrate export USD/EUR 2020-01-01 2024-12-31 --interval 1mo --aggregate mean -o eur.csv
  crossrate export USD EUR 2015-01-01 2015-01-31 --as-of 2015-01-15T12:00:00Z
  crossrate export USD EUR,JPY 2026-11-02 2026-11-06 --interval 1m -o minutes.arrow
  crossrate export --demo USD EUR 2024-01-01 2024-12-31 -o demo.csv
  crossrate export --symbols '*' --start 2026-11-20 --end 2026-11-20 --interval tick --out quotes.ndjson`,
  }).action(act(async () => (await import("./export.ts")).exportWindow));
}

function addImport(program: Command, act: Act): void {
  const parent = command(program, "import", "bring files from elsewhere into the lake", {
    more: "  crossrate import quotes DAT_ASCII_EURUSD_M1_2025.csv",
  });
  command(
    parent,
    "quotes",
    "bring minutes or ticks from before this installation into the intraday archive",
    {
      words: [new Argument("<FILE...>", "files of HistData, of Dukascopy, or CSV with a header")],
      options: [
        valued("--pair <EUR/USD>", "the pair (as in the name of the file)", "a pair such as EUR/USD"),
        valued(
          "--zone <UTC|±HH:MM>",
          "the zone of times that do not say it",
          "UTC, or an offset such as -05:00",
          (text) => /^(UTC|[+-](0\d|1[0-4]):?[0-5]\d)$/.test(text.trim()),
        ),
        choice("--side", ["bid", "ask", "mid"], "what the prices of a file with one price are"),
        valued(
          "--columns <time=NAME,bid=NAME,…>",
          "columns of a CSV file with other names",
          "time=Date,bid=Bid",
        ),
        valued(
          "--label <TEXT>",
          "your own description of the origin",
          "a text of at most 200 characters",
          (text) => text.length <= 200,
        ),
      ],
      more: `Each file is read and checked as a whole, and then it is in the archive with all its quotes or not at all: the first line with
a fault is named, and the exit code is 1. The same file again changes nothing. What a live feed has said is never
replaced: in a minute in which it has a quote, bars are of its quotes alone. Works beside a running server.

HistData's ASCII files have Eastern Standard Time (UTC-5) all year; minutes are bids, ticks have bid and ask. Dukascopy's have
UTC. Other files need a header, and a zone in each time or with --zone. A row with open, high, low and close is a minute;
other rows are quotes, by bid and ask or by price. docs/live.md says what is stored.

  crossrate import quotes DAT_ASCII_EURUSD_M1_2025.csv DAT_ASCII_EURUSD_T_202601.csv
  crossrate import quotes EURUSD_Candlestick_1_M_BID_01.01.2025-31.01.2025.csv --label 'Dukascopy, JForex'
  crossrate import quotes desk.csv --pair USD/MXN --zone -06:00 --columns time=Date,price=Last --side mid`,
    },
  ).action(act(async () => (await import("./import.ts")).importQuotes));
  command(parent, "remove", "take the quotes of an imported file out of the archive", {
    words: [new Argument("<NAME>", "the name of the file, as imported, or its SHA-256")],
    more: `One change takes out all quotes of that file and leaves all others, or changes nothing; then the file, or a better one, can be
imported. An unknown name lists the imports. Versions of the table before it stay readable for a day. Works beside a
running server.

  crossrate import remove DAT_ASCII_EURUSD_M1_2025.csv`,
  }).action(act(async () => (await import("./import.ts")).removeImport));
}

function addDecisions(program: Command, act: Act): void {
  const load = async () => await import("./held.ts");
  command(program, "held", "list the figures and publications that are held back, with the reason", {
    options: [counted("--limit <N>", "how many are listed, the newest days first (100)", 0, 1_000_000)],
    more: "A held figure is never served. Release it when the authority means it, discard it when it does not.",
  }).action(act(async () => (await load()).held));
  const key = () => [
    new Argument("[SOURCE]", "a daily source, or an official table"),
    new Argument("[DATE]", "of a source; of a table a publication, or all"),
    ...currencyWords("[CURRENCY]"),
  ];
  const documentOption = () =>
    valued(
      "--document <SHA256>",
      "every held figure of the document, by the SHA-256 that crossrate held prints",
      "64 hexadecimal digits",
      (text) => /^[0-9a-f]{64}$/i.test(text),
    );
  const followed = `Of an official table name a publication, or all that is held. The next reading of the table follows it, where the authority
still says the same: crossrate collect pol_a recent reads at once.`;
  const decision = (name: "release" | "discard", summary: string, more: string) =>
    command(program, name, summary, {
      words: key(),
      options: [documentOption()],
      more: `Example: crossrate ${name} ecb_daily 2026-04-13 NOK. ${more}\n\n${followed}`,
    }).action(act(async () => (await load())[name]));
  decision(
    "release",
    "accept a held figure or publication after all",
    `A running server notices within seconds. Of a document it releases the
figures that only miss a witness (unconfirmed_revision, distrusted_document) and that are plausible; the others stay held, to be
decided on one by one.`,
  );
  decision(
    "discard",
    "drop a held figure or publication permanently",
    `A figure of a day without a served value is held again if the
authority repeats it.`,
  );
  const live = command(program, "live", "list live quotes that are refused, with the evidence; release one", {
    more: `A live quote beyond 1.3 times its daily reference is refused however often its feed repeats it, until another feed or a
newer reference supports it. Release one only when another source confirms that the market is there. A release is stored in
DATA_DIR/live/releases.ndjson, which is its audit log: it holds over restarts, for every server on that directory, and is
noticed within seconds. Exit code 1 when no server has collected on the directory yet.

  crossrate live refused
  crossrate live release --feed coinbase --currency JPY --price 205.1`,
  });
  command(live, "refused", "what the collecting server refuses now, and the releases in force").action(
    act(async () => (await import("./held.ts")).printRefused),
  );
  const codes = CURRENCY_CODES.filter((code) => code !== currencyCode(USD));
  command(
    live,
    "release",
    "accepts the quotes of one feed for one currency, near one price, until the next daily reference",
    {
      options: [
        choice("--feed", FEEDS, "the feed that may be believed").makeOptionMandatory(),
        // All in upper or all in lower case: GBp is pence.
        valued(
          "--currency <CODE>",
          "the currency that is not the dollar",
          `one of ${codes.join(", ")}`,
          (text) => codes.some((code) => code === text || code.toLowerCase() === text),
        ).makeOptionMandatory(),
        valued(
          "--price <PRICE>",
          `in the feed's own terms, as "refused" prints it; good within ${Math.round((RELEASED_RATIO - 1) * 100)} % of it`,
          "a price above zero as in 205.1",
          (text) => /^(?=.*[1-9])\d{1,15}(?:\.\d{1,22})?$/.test(text),
        ).makeOptionMandatory(),
      ],
    },
  ).action(act(async () => (await import("./held.ts")).releaseQuotes));
}
