/** A printer as the cloud knows it (OutputPortInfo), and how a terminal finds its own. Unknown facts are absent. */

/** The service has the same names. The code that reads a port, and the code that keeps one, use these lists. */
export const portFlags = [
  'active',
  'autoRelease',
  'monochrome',
  'sendUsername',
  'softwareCopyCollation',
  'isReverseFinisher',
  'trimCardId',
  'decimalFormatForCardIds',
] as const;
export const portTexts = ['address', 'deviceSerial', 'printerIppUrl', 'ipReaderAddress'] as const;

type PortFlags = { readonly [Name in (typeof portFlags)[number]]?: boolean | undefined };
export type PortTexts = { readonly [Name in (typeof portTexts)[number]]?: string | undefined };

export interface OutputPort extends PortFlags, PortTexts {
  readonly id: number;
  readonly name: string;
  readonly kind?: PortKind | undefined;
  /** The account or container of the port. */
  readonly parentId?: number | undefined;
  readonly printProtocol?: PrintProtocol | undefined;
  readonly outputType?: PortOutputType | undefined;
  /** Seconds; 0 or absent means the default (src/cloud/README.md 12, row 20). */
  readonly logoutTimeoutSeconds?: number | undefined;
  /** Opaque (src/cloud/README.md 12, row 29). */
  readonly services?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** `porttype` of the output port parameters: 0, 1. */
export const portKinds = ['dummy', 'printer'] as const;
export type PortKind = (typeof portKinds)[number];

/** `printprotocol` of the output port parameters: 0, 1, 2. */
export const printProtocols = ['tcp', 'ipp', 'spooler'] as const;
export type PrintProtocol = (typeof printProtocols)[number];

/** `outputtype` of the output port parameters; 2 is deprecated and read as not said. */
export const portOutputTypes = { 0: 'raw', 1: 'pdf', 3: 'pcl6', 4: 'ps3', 5: 'ps2' } as const;
export type PortOutputType = (typeof portOutputTypes)[keyof typeof portOutputTypes];
/** The type that the configuration lets through to a printer; `auto`: any type that fits. */
export type OutputType = PortOutputType | 'auto';

/** The keys by which a terminal's port is found. */
export interface SoughtPort {
  readonly id?: number;
  readonly serialNumber: string;
  readonly address: string | undefined;
}

type PortKeys = Pick<OutputPort, 'id' | 'deviceSerial' | 'address'>;

/**
 * Picks ports out of a long list that is not kept: those that `findOutputPort` may find for these terminals. Of equal
 * ports it takes the first.
 */
export class PortSearch {
  readonly #ids: Set<number | undefined>;
  readonly #serials: Set<string | undefined>;
  readonly #addresses: Set<string | undefined>;

  constructor(sought: readonly SoughtPort[]) {
    this.#ids = new Set(sought.map(({ id }) => id));
    this.#serials = new Set(sought.map(({ serialNumber }) => serialNumber));
    this.#addresses = new Set(sought.map(({ address }) => address));
    for (const keys of [this.#ids, this.#addresses]) keys.delete(undefined);
  }

  wants({ id, deviceSerial, address }: Partial<PortKeys>): boolean {
    return this.#ids.has(id) || this.#serials.has(deviceSerial) || this.#addresses.has(address);
  }

  /** Returns whether the port was wanted. An equal port is not wanted from then on. */
  take({ id, deviceSerial, address }: PortKeys): boolean {
    const was = [this.#ids.delete(id), this.#serials.delete(deviceSerial), this.#addresses.delete(address)];
    return was.includes(true);
  }
}

/** By serial number, then by address (contract, `outputPortId`). */
export function findOutputPort(ports: readonly OutputPort[], wanted: SoughtPort): OutputPort | undefined {
  const { id, serialNumber, address } = wanted;
  if (id !== undefined) return ports.find((port) => port.id === id);
  return (
    ports.find((port) => port.deviceSerial === serialNumber) ??
    (address === undefined ? undefined : ports.find((port) => port.address === address))
  );
}

/**
 * The key by which the service finds a port in a record and in a delivery: its serial number, else its address (spec,
 * Documents).
 */
export interface PortKey {
  readonly serialNumber: string;
  readonly address?: string;
}

/** `serialNumber` comes from the configuration. A port that was found another way is not found by it. */
export function keyOf(port: OutputPort | undefined, serialNumber: string): PortKey {
  const { deviceSerial = serialNumber, address } = port ?? {};
  const hasNone = port !== undefined && port.deviceSerial === undefined;
  return { serialNumber: deviceSerial, ...(hasNone && address !== undefined ? { address } : {}) };
}

/** The id of the port, if the service files records under this key there. */
export function idUnder(port: OutputPort | undefined, key: PortKey): number | undefined {
  const isIts =
    port?.deviceSerial === key.serialNumber || (key.address !== undefined && port?.address === key.address);
  return isIts ? port?.id : undefined;
}

/** Compared as people copy serial numbers: without blanks and hyphens, in capitals. */
export const isSameSerial = (one: string, other: string): boolean => plainSerial(one) === plainSerial(other);
export const plainSerial = (text: string): string => text.replace(/[\s-]+/g, '').toUpperCase();
