/** A printer as the cloud knows it (OutputPortInfo), and how a terminal finds its own. */
export interface OutputPort {
  readonly id: number;
  readonly name: string;
  readonly address: string | undefined;
  readonly deviceSerial: string | undefined;
  readonly autoRelease: boolean;
  /** Seconds; 0 or absent means the default (api-supplement.md 12, row 20). */
  readonly logoutTimeoutSeconds: number | undefined;
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
}

/** By serial number, then by address (contract, `outputPortId`). */
export function findOutputPort(
  ports: readonly OutputPort[],
  wanted: { id?: number; serialNumber: string; address: string },
): OutputPort | undefined {
  if (wanted.id !== undefined) return ports.find((port) => port.id === wanted.id);
  return (
    ports.find((port) => port.deviceSerial === wanted.serialNumber) ??
    ports.find((port) => port.address === wanted.address)
  );
}
