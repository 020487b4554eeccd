/** The options of `platen init` on the command line. */

export interface PrinterAnswer {
  /** The id of the terminal. */
  readonly id: string;
  readonly uri: string;
  /** Absent: the number in the configuration, or else the number that the printer reports. */
  readonly serialNumber?: string | undefined;
}

export interface ReaderAnswer {
  /** Absent: the only terminal. */
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
