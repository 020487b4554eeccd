/**
 * What a failure of each kind stops: nothing is printed at all, at this server's word, at this terminal, or nothing is
 * stopped yet and somebody has to look all the same. `--monitor` makes its state of it.
 */
import type { Finding } from './examination.ts';

type Stops = 'everything' | 'server' | 'terminal' | 'nothing';

const stops = {
  // Without these no release is begun: the intent must be on disk, and somebody must take the badge.
  config: 'everything',
  agent: 'everything',
  'state directory': 'everything',
  room: 'everything',
  ledger: 'everything',
  network: 'everything',
  'device token': 'everything',
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
  'kiosk page': 'nothing',
  printing: 'nothing',
  queue: 'nothing',
} as const satisfies Record<string, Stops>;

export type Kind = keyof typeof stops;

export type Severity = 'warning' | 'critical';

/** `undefined`: nothing is to be done. What is still to come is as bad as a failure where nothing prints without it. */
export function severityOf(
  { kind, state, scope }: Finding,
  all: { readonly readyTerminals: number; readonly findings: readonly Finding[] },
): Severity | undefined {
  const weight: Stops = stops[kind];
  if (state === 'waiting') return weight === 'everything' ? 'critical' : undefined;
  if (state !== 'failed') return undefined;
  switch (weight) {
    case 'everything':
      return 'critical';
    case 'server':
      return all.findings.some((one) => one.kind === 'cloud' && one.scope !== scope && one.state === 'ok')
        ? 'warning'
        : 'critical';
    case 'terminal':
      return all.readyTerminals > 0 ? 'warning' : 'critical';
    default:
      return 'warning';
  }
}
