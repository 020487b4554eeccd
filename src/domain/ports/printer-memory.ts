/**
 * The remembered facts of the printer at an address, so that another printer there is noticed (INVARIANTS.md D9, T13).
 * They are kept at the first use, and replaced only by an administrator's approval.
 */

/** The certificate of an `ipps` printer. */
export interface PrinterCertificate {
  /** SHA-256 of the whole certificate: capital hex digits, in pairs with colons, as OpenSSL prints it. */
  readonly fingerprint: string;
  /** Wall time, milliseconds since 1970. */
  readonly validTo: number;
  /**
   * `ca`: an authority vouches for it, and the printer's name is in it. `pin`: it was pinned at its first use or by an
   * approval.
   */
  readonly trustedBy: 'ca' | 'pin';
}

export interface KnownCertificate extends Pick<PrinterCertificate, 'fingerprint' | 'trustedBy'> {
  /**
   * An administrator has compared it with the printer's own display. The pin of a first use alone may belong to another
   * device.
   */
  readonly approved?: boolean | undefined;
}

/** The facts that tell one printer from another. Facts that a printer does not tell are absent. */
export interface PrinterIdentity {
  readonly uuid?: string | undefined;
  readonly serialNumber?: string | undefined;
  /** Shown only, because firmware may change it. */
  readonly makeAndModel?: string | undefined;
  /** Another firmware may have other habits. */
  readonly firmware?: string | undefined;
}

/** The observed habits of a printer. They are kept with its identity, and forgotten with it. */
export interface PrinterHabits {
  /**
   * It told a counter above 0 of a job that was still being printed. Only for such a printer does a 0 mean that nothing
   * came out.
   */
  readonly counts?: 'while-printing' | undefined;
  /** The version of IPP in which it last understood us; absent: the version that it lists. */
  readonly version?: '2.0' | '1.1' | '1.0' | undefined;
  /** The operation attributes that make it refuse a job. */
  readonly refusesNames?: readonly RefusableName[] | undefined;
  /** It cuts job-names after so many octets. */
  readonly cutsNamesAt?: number | undefined;
  /** It closes a connection right after an answer without announcing it, so each request gets its own connection. */
  readonly hangsUp?: boolean | undefined;
  /** It lists gzip, and refused a document that was sent so. */
  readonly refusesGzip?: boolean | undefined;
}

export type RefusableName = 'job-name' | 'document-name' | 'requesting-user-name';

export interface KnownPrinter {
  /** The address that was last used. */
  readonly uri: string;
  readonly habits?: PrinterHabits | undefined;
  readonly certificate?: KnownCertificate | undefined;
  readonly identity?: PrinterIdentity | undefined;
}

/** For one terminal. Every method throws `store-refused`, `store-failed`, or `state-unusable` for a damaged file. */
export interface PrinterMemory {
  /** `address` is `host:port`. */
  recall(address: string): KnownPrinter | undefined;
  keep(address: string, known: KnownPrinter): void;
  all(): readonly KnownPrinter[];
}
