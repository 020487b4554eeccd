/**
 * What is remembered of the printer at an address, so that another one is noticed there (INVARIANTS.md D9, T13): kept
 * when it is first used, replaced only by an administrator's approval.
 */

/** Of an `ipps` printer. */
export interface PrinterCertificate {
  /** SHA-256 of the whole certificate: capital hex digits, in pairs with colons, as OpenSSL prints it. */
  readonly fingerprint: string;
  /** Wall time, milliseconds since 1970. */
  readonly validTo: number;
  /** An authority, and the printer's name is in it; or the pin of its first use or of an approval. */
  readonly trustedBy: 'ca' | 'pin';
}

export interface KnownCertificate extends Pick<PrinterCertificate, 'fingerprint' | 'trustedBy'> {
  /** Somebody has compared it with what the printer shows: the pin of a first use may be anybody's. */
  readonly approved?: boolean | undefined;
}

/** By which one printer is told from another; what a printer does not tell is absent. */
export interface PrinterIdentity {
  readonly uuid?: string | undefined;
  readonly serialNumber?: string | undefined;
  /** Shown only: firmware may change it. */
  readonly makeAndModel?: string | undefined;
  /** With other firmware it may have other habits. */
  readonly firmware?: string | undefined;
}

/** What a printer was found to do in its own way: kept with its identity, and forgotten with it. */
export interface PrinterHabits {
  /** It told a counter above 0 of a job that was still being printed: only there does a 0 say that nothing came out. */
  readonly counts?: 'while-printing' | undefined;
  /** The version of IPP it was last understood in; absent: what it lists. */
  readonly version?: '2.0' | '1.1' | '1.0' | undefined;
  /** Operation attributes that it refuses jobs for. */
  readonly refusesNames?: readonly RefusableName[] | undefined;
  /** It cuts job-names after so many octets. */
  readonly cutsNamesAt?: number | undefined;
  /** It closes connections right after an answer and does not announce it: each request gets a connection of its own. */
  readonly hangsUp?: boolean | undefined;
  /** It lists gzip, and refused a document that came so. */
  readonly refusesGzip?: boolean | undefined;
}

export type RefusableName = 'job-name' | 'document-name' | 'requesting-user-name';

export interface KnownPrinter {
  /** As it was last spoken to. */
  readonly uri: string;
  readonly habits?: PrinterHabits | undefined;
  readonly certificate?: KnownCertificate | undefined;
  readonly identity?: PrinterIdentity | undefined;
}

/** Of one terminal. Every method throws `store-refused`, `store-failed`, or `state-unusable` for a damaged file. */
export interface PrinterMemory {
  /** At `host:port`. */
  recall(address: string): KnownPrinter | undefined;
  keep(address: string, known: KnownPrinter): void;
  all(): readonly KnownPrinter[];
}
