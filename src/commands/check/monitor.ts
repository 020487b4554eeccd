/**
 * The findings in the output format of plugins for Nagios and Icinga (Monitoring Plugins Development Guidelines,
 * "Plugin Output for Nagios", "Plugin Return Codes"). The first line has the worst finding and performance data; then
 * each fault has a line. A configuration with mistakes is UNKNOWN, as wrong arguments are: nothing was examined, and
 * the agent may still run with the earlier configuration.
 */
import { ConfigInvalid } from '../../config/mistakes.ts';
import { inSeconds, milliseconds as span } from '../../core/duration.ts';
import { counted } from '../../core/text/counted.ts';
import { printableWhole } from '../../core/text/printable.ts';
import type { Stops } from './weight.ts';
import { stops } from './weight.ts';
import type { Finding } from './examination.ts';
import { monitorCode } from '../io.ts';
import type { Status } from '../status/schema.ts';
import { isElsewhere, notAsked } from '../status/terminals.ts';

export interface Monitored {
  readonly text: string;
  readonly code: number;
}

export interface Examined {
  readonly findings: readonly Finding[];
  /** `undefined` if no agent answers. */
  readonly status: Status | undefined;
  /** The number of terminals in the configuration. */
  readonly terminals: number;
  readonly milliseconds: number;
}

type Severity = 'warning' | 'critical';

/** Monitoring systems keep about this many lines. `platen check` shows the rest. */
const mostDetails = 20;

export function monitored(examined: Examined): Monitored {
  const { findings, status, terminals } = examined;
  const readyTerminals = status?.terminals.filter(({ ready }) => ready).length ?? 0;
  const judged = findings.flatMap((finding) => {
    const severity = severityOf(finding, { readyTerminals, findings });
    return severity === undefined ? [] : [{ finding, severity }];
  });
  const at = (wanted: Severity) => judged.filter(({ severity }) => severity === wanted);
  const troubles = [...at('critical'), ...at('warning')];
  const state = troubles[0]?.severity ?? 'ok';
  const lookedAt = findings.filter((one) => one.state !== 'skipped').length;
  const assumed = status?.terminals.filter(({ printer }) => printer.assumed === true).length ?? 0;
  const unasked = assumed === 0 ? '' : `, ${counted(assumed, 'printer')} ${notAsked}`;
  const elsewhere = status?.terminals.filter(isElsewhere).length ?? 0;
  const standby = elsewhere === 0 ? '' : `, ${elsewhere} served by other gateways`;
  const ready = `${readyTerminals} of ${terminals} terminals ready${standby}${unasked}`;
  const [first, ...rest] = troubles.map(({ finding }) => lineOf(finding));
  const summary =
    first === undefined
      ? `${counted(lookedAt, 'check')}, ${ready}`
      : `${first} (${troubles.length} of ${counted(lookedAt, 'check')}, ${ready})`;
  const details = troubles.map(({ finding, severity }) => `[${severity.toUpperCase()}] ${lineOf(finding)}`);
  const left = details.length - mostDetails;
  return {
    code: monitorCode[state],
    text: [
      `PLATEN ${state.toUpperCase()} - ${summary} | ${performance(examined, readyTerminals)}`,
      ...(rest.length === 0 ? [] : details.slice(0, mostDetails)),
      ...(left > 0 ? [`and ${left} more; see platen check`] : []),
    ].join('\n'),
  };
}

export function notExamined(error: unknown): Monitored {
  const lines = error instanceof ConfigInvalid ? error.lines : [messageOf(error)];
  const [first = '', ...rest] = lines.map(plain);
  return { code: monitorCode.unknown, text: [`PLATEN UNKNOWN - ${first}`, ...rest].join('\n') };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const lineOf = ({ what, detail }: Finding): string => plain(`${what}: ${detail}`);

/** Performance data begin after a bar, so text must not have one. */
const plain = (text: string): string => printableWhole(text).replaceAll('|', '/');

/** `label=value[unit];[warn];[crit];[min];[max]`. A value outside the range is an alert (`4:` means below 4). */
function performance({ findings, status, terminals, milliseconds }: Examined, ready: number): string {
  // Terminals that another gateway serves need not be ready here.
  const wanted = terminals - (status?.terminals.filter(isElsewhere).length ?? 0);
  const figures = [
    `time=${inSeconds(span(milliseconds)).toFixed(2)}s;;;0`,
    `failed=${findings.filter(({ state }) => state === 'failed').length};0;;0`,
    `terminals_ready=${ready};${wanted}:;${Math.min(1, wanted)}:;0;${terminals}`,
  ];
  if (status) {
    const { waiting, held, deadLetters } = status.outbox;
    figures.push(`outbox=${waiting + held};;;0`, `dead_letters=${deadLetters};0;;0`);
    figures.push(`token=${Math.floor(inSeconds(span(status.enrollment.tokenExpiresIn)))}s;;;0`);
  }
  return figures.join(' ');
}

/**
 * `undefined`: there is nothing to do. A finding that is still to come counts as a failure if nothing prints without
 * it.
 */
function severityOf(
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
