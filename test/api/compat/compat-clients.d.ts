/** The parts of two untyped clients that the tests call. */

declare module "money" {
  interface Amount {
    from(currency: string): Amount;
    to(currency: string): number;
  }
  const fx: {
    (value: number): Amount;
    rates: Record<string, number>;
    base: string;
    convert(value: number, options: { from: string; to: string }): number;
  };
  export default fx;
}

declare module "oxr" {
  interface Rates {
    readonly disclaimer: string;
    readonly timestamp: number;
    readonly base: string;
    readonly rates: Readonly<Record<string, number>>;
  }
  interface Client {
    latest(query?: Readonly<Record<string, string>>): Promise<Rates>;
    historical(date: string | Date, query?: Readonly<Record<string, string>>): Promise<Rates>;
    currencies(): Promise<Readonly<Record<string, string>>>;
  }
  interface Store {
    get(date: string): Promise<unknown>;
    put(value: unknown, date: string): Promise<void>;
  }
  const oxr: {
    factory(options: { appId: string; protocol: string; host: string }): Client;
    cache(options: { method: "historical"; store: Store }, client: Client): Client;
    OxrError: new () => Error;
  };
  export default oxr;
}
