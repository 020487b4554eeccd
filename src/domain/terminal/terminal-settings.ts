/**
 * The settings of a terminal: from its configuration, else from the cloud, else the default (src/cloud/README.md 12,
 * rows 13, 14, 20–29, 31). Each value tells its source.
 */
import type { OutputPort, PortOutputType, PrintProtocol } from '../output-port.ts';
import type { TerminalConfig } from './terminal-config.ts';

export type SettingSource = 'config' | 'output port' | 'terminal config' | 'default';

export interface Setting<Value> {
  readonly value: Value;
  readonly from: SettingSource;
}

/** The configuration's settings of a printer; absent if the configuration leaves them to the cloud. */
export interface LocalPrinterSettings
  extends Pick<
    OutputPort,
    'outputType' | 'monochrome' | 'sendUsername' | 'softwareCopyCollation' | 'isReverseFinisher'
  > {
  readonly printerUri?: string | undefined;
}

/** The configuration's settings of a terminal. */
export interface LocalSettings
  extends LocalPrinterSettings,
    Pick<OutputPort, 'autoRelease' | 'logoutTimeoutSeconds' | 'trimCardId' | 'decimalFormatForCardIds'> {
  readonly shortIdLogin?: boolean | undefined;
  readonly passwordLogin?: boolean | undefined;
  readonly cardEnrollment?: boolean | undefined;
}

/** The cloud's settings of one terminal; absent if the cloud says nothing, or was not heard yet. */
export interface CloudSettings {
  readonly port?: OutputPort | undefined;
  readonly config?: TerminalConfig | undefined;
}

/** src/cloud/README.md 12, row 20. */
const logoutSeconds = { usual: 60, shortest: 10, longest: 3600 };

/** The facts by which a port is found and addressed. They are no settings. */
type PortIdentity = 'id' | 'name' | 'kind' | 'parentId' | 'address' | 'deviceSerial' | 'printerIppUrl';
type PortSettings = Record<Exclude<keyof OutputPort, PortIdentity> | 'printerUri', Setting<unknown>>;

/** The local configuration wins if it has a value. */
export function adopt({ local, port, config }: { readonly local: LocalSettings } & CloudSettings) {
  const ofPort = {
    printProtocol: chosen(protocolOf(local.printerUri), port?.printProtocol, 'ipp'),
    /** Empty until it is known. */
    printerUri: chosen(local.printerUri, port && uriOf(port), ''),
    // Shown, and not obeyed. By default ports say `raw` or `pdf` whatever their printer takes, and a document goes out
    // unchanged if the printer takes its format (contract, section 3). Only the configuration narrows formats.
    outputType: chosen<PortOutputType | 'auto'>(local.outputType, port?.outputType, 'auto'),
    autoRelease: chosen(local.autoRelease, port?.autoRelease, false),
    logoutTimeoutSeconds: chosen(local.logoutTimeoutSeconds, logoutOf(port), logoutSeconds.usual),
    monochrome: chosen(local.monochrome, port?.monochrome, false),
    sendUsername: chosen(local.sendUsername, port?.sendUsername, false),
    softwareCopyCollation: chosen(local.softwareCopyCollation, port?.softwareCopyCollation, false),
    isReverseFinisher: chosen(local.isReverseFinisher, port?.isReverseFinisher, false),
    trimCardId: chosen(local.trimCardId, port?.trimCardId, false),
    decimalFormatForCardIds: chosen(local.decimalFormatForCardIds, port?.decimalFormatForCardIds, false),
    ipReaderAddress: chosen(undefined, port?.ipReaderAddress, ''),
    services: chosen(undefined, port?.services, {}),
    active: chosen(undefined, port?.active, true),
  } satisfies PortSettings;
  return {
    ...ofPort,
    printEnabled: ofTerminalConfig(config?.printEnabled, true),
    oneTimePasswordEnrollment: ofTerminalConfig(config?.oneTimePasswordEnrollment, false),
    cardOnlyAuthentication: ofTerminalConfig(config?.cardOnlyAuthentication, false),
    shortIdAuthentication: ofTerminalConfig(config?.shortIdAuthentication, false),
    // `cardOnlyAuthentication` hides the other ways, also a way that is switched on (src/cloud/README.md 6).
    shortIdLogin: ownOr(
      local.shortIdLogin,
      ofTerminalConfig(config?.shortIdAuthentication && !config.cardOnlyAuthentication, false),
    ),
    passwordLogin: ownOr(local.passwordLogin, ofTerminalConfig(not(config?.cardOnlyAuthentication), true)),
    cardEnrollment: ownOr(local.cardEnrollment, ofTerminalConfig(config?.oneTimePasswordEnrollment, false)),
    // No key of the configuration suppresses it, because its records tell no more about persons than the others (T20).
    developerLog: ofTerminalConfig(config?.developerLogEnabled, false),
  };
}

export type AdoptedSettings = ReturnType<typeof adopt>;

function chosen<Value>(local: Value | undefined, port: Value | undefined, usual: Value): Setting<Value> {
  if (local !== undefined) return { value: local, from: 'config' };
  return port === undefined ? { value: usual, from: 'default' } : { value: port, from: 'output port' };
}

const ofTerminalConfig = (said: boolean | undefined, usual: boolean): Setting<boolean> =>
  said === undefined ? { value: usual, from: 'default' } : { value: said, from: 'terminal config' };

const ownOr = (local: boolean | undefined, cloud: Setting<boolean>): Setting<boolean> =>
  local === undefined ? cloud : { value: local, from: 'config' };

const not = (said: boolean | undefined): boolean | undefined => (said === undefined ? undefined : !said);

function logoutOf(port: OutputPort | undefined): number | undefined {
  const said = port?.logoutTimeoutSeconds || undefined;
  return said && Math.min(Math.max(said, logoutSeconds.shortest), logoutSeconds.longest);
}

function protocolOf(uri: string | undefined): PrintProtocol | undefined {
  if (uri === undefined) return undefined;
  if (/^ipps?:/.test(uri)) return 'ipp';
  return uri.startsWith('socket:') ? 'tcp' : 'spooler';
}

/** src/cloud/README.md 12, row 27. Only the configuration can name a spooler's queue. */
function uriOf({ printProtocol, printerIppUrl, address }: OutputPort): string | undefined {
  if (printProtocol === 'spooler') return undefined;
  if (printProtocol === 'tcp') return address && `socket://${hostOf(address)}:9100`;
  return printerIppUrl ?? (address && `ipp://${hostOf(address)}:631/ipp/print`);
}

/** Encoded, so that it can only be a host. The address guard allows no `%` in a host. */
const hostOf = (address: string): string =>
  address.includes(':') ? `[${address}]` : encodeURIComponent(address);
