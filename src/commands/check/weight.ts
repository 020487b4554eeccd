/**
 * The effect of a failure of each kind: nothing prints at all, nothing prints for this server, nothing prints at this
 * terminal, or nothing is stopped but somebody has to look. `--monitor` makes its state from this.
 */
export type Stops = 'everything' | 'server' | 'terminal' | 'nothing';

export const stops = {
  // Without these no release begins: the intent must be on disk, and something must read badges.
  config: 'everything',
  agent: 'everything',
  'state directory': 'everything',
  room: 'everything',
  ledger: 'everything',
  network: 'everything',
  'device token': 'everything',
  // Without the engine a document could print twice, so nothing prints (F12).
  engine: 'everything',
  // One server that answers is enough.
  'name lookup': 'server',
  connection: 'server',
  TLS: 'server',
  cloud: 'server',
  'OAuth server': 'server',
  // One terminal that is ready can serve all people.
  terminal: 'terminal',
  reader: 'terminal',
  printer: 'terminal',
  spooler: 'terminal',
  'test page': 'terminal',
  // These harm no person today.
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
