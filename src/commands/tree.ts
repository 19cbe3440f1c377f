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
  windowWords,
} from "#cli/words.ts";
import { CURRENCY_CODES, currencyCode, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { FEEDS, RELEASED_RATIO } from "#domain/live/live-quote.ts";
import type * as accountCommands from "./accounts.ts";

const newLedgerOption = () => flag("--new-ledger", "begin an empty ledger where the old one is gone");

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
    },
  )
    .helpGroup("Ask a server:")
    .action(asking(async () => (await import("./mcp.ts")).mcp));
  program.commandsGroup("Run a server:");
  // Unknown options and arguments are let through: they were meant as settings, and the command explains settings.
  command(program, "serve", "serve real rates; a new lake begins with the packaged history of the ECB", {
    options: [newLedgerOption()],
  })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(lasting(async () => (await import("./run-server.ts")).serve));
  command(program, "demo", "try everything at once: no network, no keys, no services", {
    options: [flag("--simulated", "simulate the history, too"), newLedgerOption()],
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
  );
  const who = new Argument("<WHO>", "an e-mail address, an id, or the beginning of a key");
  const email = new Argument("<EMAIL>").argParser(addressOf);
  const id = new Argument("<ID>", "of a person (idn_…) or an organization (org_…)");
  const tier = new Argument("<TIER>", "free, basic, plus or pro");
  add(accounts, [
    ["list", "listPeople", "every person, with organization, tier and status"],
    ["find", "findPeople", "one person with organization and keys", who],
    [
      "create-admin",
      "createAdmin",
      "makes an account of the address, with the role admin, and prints the link to set a password; the role gives no rights",
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
    [
      "forget-billing",
      "forgetBilling",
      "forgets customer and subscription at Stripe, which the secret key does not know any more; the tier stays",
      new Argument("<ORG>"),
    ],
    [
      "erase",
      "erase",
      "deletes a person's organization and forgets all that names the person; it cannot be undone",
      new Argument("<PERSON>", "an id, idn_…"),
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
  );
  const keys = command(admin, "keys", "API keys of every organization: list, revoke, rewrap");
  const organization = new Argument("<ORG>", "its id (org_…); crossrate accounts list shows them");
  const key = new Argument("<KEY>", "its id (key_…); crossrate admin keys list ORG shows them");
  add(keys, [
    ["list", "listKeys", "the keys of an organization, newest first, revoked ones too", organization],
    ["revoke", "revokeKey", "ends one key at once; its owner gets a new one by rotating", key],
    ["rewrap", "rewrapKeys", "encrypts every key and webhook secret under the master key that is first now"],
  ]);
  command(admin, "official", "list the official tables, what was collected of each and when", {
    options: [newLedgerOption()],
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
  }).action(lasting(async () => (await import("./collect.ts")).backfill));
  const source = new Argument("<SOURCE>", "a daily source, or the id of an official table");
  source.argChoices = [...DAILY_SOURCES];
  command(program, "collect", "collect one source or one official table once", {
    words: [source, new Argument("[REACH]").choices(["latest", "recent", "history"])],
    options: [newLedgerOption()],
  }).action(lasting(async () => (await import("./collect.ts")).collect));
  addExport(program, asking);
  addImport(program, lasting);
  command(program, "compact", "checkpoint the tables, remove versions older than the retention").action(
    lasting(async () => (await import("./maintenance.ts")).compact),
  );
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
  }).action(asking(async () => (await import("./verify.ts")).verify));
  command(program, "repair", "go on without the damaged files of the lake", {
    options: [flag("--yes", "do it")],
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
      flag("--demo", "the demo's rates, from data/demo or DATA_DIR"),
    ],
  }).action(act(async () => (await import("./export.ts")).exportWindow));
}

function addImport(program: Command, act: Act): void {
  const parent = command(program, "import", "bring files from elsewhere into the lake");
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
    },
  ).action(act(async () => (await import("./import.ts")).importQuotes));
  command(parent, "remove", "take the quotes of an imported file out of the archive", {
    words: [new Argument("<NAME>", "the name of the file, as imported, or its SHA-256")],
  }).action(act(async () => (await import("./import.ts")).removeImport));
}

function addDecisions(program: Command, act: Act): void {
  const load = async () => await import("./held.ts");
  command(program, "held", "list the figures and publications that are held back, with the reason", {
    options: [counted("--limit <N>", "how many are listed, the newest days first (100)", 0, 1_000_000)],
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
  const decision = (name: "release" | "discard", summary: string) =>
    command(program, name, summary, { words: key(), options: [documentOption()] }).action(
      act(async () => (await load())[name]),
    );
  decision("release", "accept a held figure or publication after all");
  decision("discard", "drop a held figure or publication");
  const live = command(program, "live", "list live quotes that are refused, with the evidence; release one");
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
