/** What `platen init` may be told on the command line. */

export interface PrinterAnswer {
  /** Of the terminal. */
  readonly id: string;
  readonly uri: string;
  /** Absent: as the configuration has it, else as the printer says. */
  readonly serialNumber?: string | undefined;
}

export interface ReaderAnswer {
  /** Absent: the only one there is. */
  readonly terminal?: string | undefined;
  /** See `readers.ts`. */
  readonly reader: string;
}

export interface InitOptions {
  readonly config: string;
  readonly answers?: string;
  /** Printers as a CSV file. */
  readonly from?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly baseUrl?: string;
  readonly authUrl?: string;
  readonly apiKeyFile?: string;
  readonly description?: string;
  readonly printer?: readonly PrinterAnswer[];
  readonly reader?: readonly ReaderAnswer[];
  readonly testPage?: boolean;
  readonly wait?: number | boolean;
  readonly yes?: boolean;
}
