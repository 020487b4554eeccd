/**
 * `platen provision` for one terminal: has the service its output port, and does the port agree with the configuration
 * (spec, Output ports; src/cloud/README.md 12, row 27)? This file compares and decides; it calls no service.
 */
import type { OutputPortSettings } from '../../cloud/resources/output-port-provisioning.ts';
import type { TerminalConfig } from '../../config/schema/config.ts';
import type { OutputPort, PrintProtocol } from '../../domain/output-port.ts';

/** The fields for finding the printer and its agent. They are kept equal to the configuration. */
export interface PortPlace {
  readonly address: string;
  readonly printProtocol: PrintProtocol;
  /** IPP only. */
  readonly printerIppUrl?: string;
  readonly deviceSerial: string;
}

export type NewPort = PortPlace &
  Pick<OutputPortSettings, 'outputType' | 'description'> & { readonly portName: string };

export type PortPlan =
  | { readonly kind: 'in-order'; readonly port: OutputPort }
  | {
      readonly kind: 'change';
      readonly port: OutputPort;
      readonly place: PortPlace;
      readonly changes: Partial<PortPlace>;
    }
  | { readonly kind: 'create'; readonly settings: NewPort }
  | { readonly kind: 'left-alone'; readonly why: string }
  /** A person must say which output port it is. */
  | { readonly kind: 'unclear'; readonly why: string };

export interface Surroundings {
  readonly ports: readonly OutputPort[];
  /** All configured terminals. */
  readonly terminals: readonly TerminalConfig[];
  /** The description of new ports. */
  readonly description: string;
}

export function planFor(terminal: TerminalConfig, surroundings: Surroundings): PortPlan {
  const { uri, outputType } = terminal.printer;
  if (uri === 'auto')
    return { kind: 'left-alone', why: 'printer.uri is auto, so the service gives the address' };
  const place = placeOf(uri, terminal.serialNumber);
  if (!place) return { kind: 'left-alone', why: 'printer.uri names no host' };
  const found = findPort(terminal, place.address, surroundings);
  if (found.kind === 'unclear') return found;
  if (found.kind === 'none') {
    const { description } = surroundings;
    const type = outputType === 'auto' ? {} : { outputType };
    return { kind: 'create', settings: { portName: terminal.id, ...place, ...type, description } };
  }
  const { port } = found;
  const differs = Object.entries(place).filter(([name, value]) => port[name as keyof PortPlace] !== value);
  return differs.length === 0
    ? { kind: 'in-order', port }
    : { kind: 'change', port, place, changes: Object.fromEntries(differs) };
}

function placeOf(uri: string, deviceSerial: string): PortPlace | undefined {
  const { protocol, hostname } = new URL(uri);
  if (hostname === '') return undefined;
  // Brackets belong to the URI, not to an IPv6 address (RFC 3986 section 3.2.2).
  const address = hostname.replace(/^\[|\]$/g, '');
  const isIpp = protocol === 'ipp:' || protocol === 'ipps:';
  if (isIpp) return { address, printProtocol: 'ipp', printerIppUrl: uri, deviceSerial };
  return { address, printProtocol: protocol === 'socket:' ? 'tcp' : 'spooler', deviceSerial };
}

type Found =
  | { readonly kind: 'port'; readonly port: OutputPort }
  | { readonly kind: 'none' }
  | Extract<PortPlan, { kind: 'unclear' }>;

/**
 * Finds the port as the agent does, but never takes the port of another device. A port with another serial number
 * belongs to that device until a person decides otherwise.
 */
function findPort(terminal: TerminalConfig, address: string, { ports, terminals }: Surroundings): Found {
  const { outputPortId, serialNumber } = terminal;
  if (outputPortId !== 'auto') {
    const given = ports.find(({ id }) => id === outputPortId);
    return given
      ? { kind: 'port', port: given }
      : { kind: 'unclear', why: `outputPortId: the service has no output port ${outputPortId}` };
  }
  const bySerial = ports.find(({ deviceSerial }) => deviceSerial === serialNumber);
  if (bySerial) return { kind: 'port', port: bySerial };
  const ofOthers = terminals.map((one) => one.serialNumber);
  const there = ports.filter(
    (port) => port.address === address && !ofOthers.includes(port.deviceSerial ?? ''),
  );
  const [first, ...more] = there;
  if (!first) return { kind: 'none' };
  if (more.length === 0 && first.deviceSerial === undefined) return { kind: 'port', port: first };
  const names = there.map(({ id, deviceSerial = 'none' }) => `${id} (serial number ${deviceSerial})`);
  return {
    kind: 'unclear',
    why: `${address} is the address of output port ${names.join(', ')}. If that is this printer, set outputPortId`,
  };
}
