/**
 * What a failure of each kind stops: nothing is printed at all, at this server's word, at this terminal, or nothing is
 * stopped yet and somebody has to look all the same. `--monitor` makes its state of it.
 */
export type Stops = 'everything' | 'server' | 'terminal' | 'nothing';

export const stops = {
  // Without these no release is begun: the intent must be on disk, and somebody must take the badge.
  config: 'everything',
  agent: 'everything',
  'state directory': 'everything',
  room: 'everything',
  ledger: 'everything',
  network: 'everything',
  'device token': 'everything',
  // Without it a document could print twice, so none does (F12).
  engine: 'everything',
  // One server that answers is enough.
  'name lookup': 'server',
  connection: 'server',
  TLS: 'server',
  cloud: 'server',
  'OAuth server': 'server',
  // One terminal that is ready still serves people.
  terminal: 'terminal',
  reader: 'terminal',
  printer: 'terminal',
  spooler: 'terminal',
  'test page': 'terminal',
  // Nobody is turned away for these today.
  'agent up to date': 'nothing',
  permissions: 'nothing',
  'history records': 'nothing',
  memory: 'nothing',
  node: 'nothing',
  'time zone': 'nothing',
  clock: 'nothing',
  certificate: 'nothing',
  converter: 'nothing',
  stick: 'nothing',
  'kiosk page': 'nothing',
  fleet: 'nothing',
  printing: 'nothing',
  'serial number': 'nothing',
  queue: 'nothing',
} as const satisfies Record<string, Stops>;

export type Kind = keyof typeof stops;
