/**
 * The text of `platen fleet status`: one line for the fleet, its sites, and its gateways with their faults. If there
 * are many, healthy gateways are only counted. All names from others are made safe for the screen.
 */
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import type { Trouble } from '../../domain/gateway-troubles.ts';
import { columnsOf } from '../../prompt/columns.ts';
import type { Color, Paint } from '../terminal-text/screen.ts';
import { spanText } from '../terminal-text/span-text.ts';
import { padded } from '../terminal-text/table.ts';
import { cutTo, wrapped } from '../terminal-text/text-width.ts';
import type { FleetSight, GatewaySight, SiteSight } from './sight.ts';
import { isGrave, isWell } from './sight.ts';

export interface FleetLook {
  readonly width: number;
  readonly dot: string;
  readonly paint: Paint;
  /** One line for every site and gateway. */
  readonly isWhole: boolean;
  /** No healthy gateways. */
  readonly problemsAlone: boolean;
}

/** This many lines fit a screen, so all are shown. */
const mostWell = 12;
/** More lines would not be read. The first ones already show what they have in common. */
const mostTroubled = 40;
const mostTroubles = 4;

export function fleetText(sight: FleetSight, look: FleetLook): string {
  const { sites, gateways } = sight;
  return [
    headLine(sight, look),
    ...loadLines(sight, look),
    ...versionLines(sight, look),
    ...rolloutLines(sight, look),
    ...tableOf(
      shownOf(sites, ({ troubled }) => troubled > 0, look),
      siteRows,
      look,
    ),
    ...leftLine(sites, ({ troubled }) => troubled > 0, { ...look, noun: 'site' }),
    ...tableOf(shownOf(gateways, isTroubled, look), gatewayRows, look),
    ...leftLine(gateways, isTroubled, { ...look, noun: 'gateway' }),
  ].join('\n');
}

/** The whole fleet in one line. */
export function fleetLine({ gateways, sites }: FleetSight): string {
  const sum = (of: (one: SiteSight) => number): number => sites.reduce((total, one) => total + of(one), 0);
  const terminals = `${sum((one) => one.terminals.ready)} of ${sum((one) => one.terminals.served)} terminals ready`;
  return [
    `${sum((one) => one.beating)} of ${gateways.length} gateways beat`,
    terminals,
    `${sum((one) => one.troubled)} with something wrong`,
  ].join(', ');
}

function headLine(sight: FleetSight, { dot, paint, width }: FleetLook): string {
  const { engine } = sight;
  const color: Color = isWell(sight) ? 'green' : sight.gateways.some(isGrave) ? 'red' : 'yellow';
  const [first = '', ...rest] = wrapped(
    `fleet at ${printable(engine.place)}, PostgreSQL ${printable(engine.version)}: ${fleetLine(sight)}`,
    { width, indent: 2 },
  );
  return [`${paint(dot, color)} ${first}`, ...rest].join('\n');
}

function loadLines({ engine }: FleetSight, { width }: FleetLook): readonly string[] {
  const { octets, openClaims, owedRecords, overdueRecords, lookMilliseconds } = engine;
  const line = [
    `engine: tables ${(octets / 1e6).toFixed(1)} MB`,
    `${counted(openClaims, 'document')} in hand`,
    `${counted(owedRecords, 'history record')} owed${overdueRecords > 0 ? ` (${overdueRecords} for more than 5 minutes)` : ''}`,
    `counted in ${lookMilliseconds} ms`,
  ].join(', ');
  return wrapped(line, { width: width - 2, indent: 2 }).map((part) => `  ${part}`);
}

/** The versions with their numbers. Shown if not all gateways run the same version. */
function versionLines({ gateways }: FleetSight, { width }: FleetLook): readonly string[] {
  const reporting = gateways.filter(({ hasTold }) => hasTold);
  return [
    ['versions', reporting.map(({ digest }) => digest.version)] as const,
    ['configurations', reporting.map(({ digest }) => digest.config.version ?? 'their own')] as const,
  ].flatMap(([label, all]) => {
    const counts = [...Map.groupBy(all, String)].map(([name, of]) => `${printable(name)} (${of.length})`);
    if (counts.length < 2) return [];
    return wrapped(`${label}: ${counts.join(', ')}`, { width: width - 2, indent: 2 }).map(
      (line) => `  ${line}`,
    );
  });
}

/** A finished roll-out is in the column CONFIG. */
function rolloutLines({ rollout }: FleetSight, { width }: FleetLook): readonly string[] {
  if (!rollout || rollout.state === 'finished') return [];
  const { number, version, state, gateway, why } = rollout;
  const to = version === 0 ? "only each gateway's own file" : `version ${version ?? 'unknown'}`;
  const line = printable(
    `roll-out ${number}, to ${to}, ${stateWords[state]}${why === null ? '' : `: ${gateway} ${why}`}`,
  );
  return wrapped(line, { width: width - 2, indent: 2 }).map((part) => `  ${part}`);
}

const stateWords = {
  running: 'is under way',
  paused: 'is paused; platen fleet resume lets it go on',
  halted: 'has halted',
};

const isTroubled = ({ troubles }: GatewaySight): boolean => troubles.length > 0;

/** They are in order: the faulty ones first. */
function shownOf<One>(all: readonly One[], isWrong: (one: One) => boolean, look: FleetLook): readonly One[] {
  const wrong = all.filter(isWrong);
  if (look.isWhole && !look.problemsAlone) return all;
  if (!look.problemsAlone && all.length <= mostWell) return all;
  return look.isWhole ? wrong : wrong.slice(0, mostTroubled);
}

function leftLine<One>(
  all: readonly One[],
  isWrong: (one: One) => boolean,
  look: FleetLook & { readonly noun: string },
): readonly string[] {
  const left = all.length - shownOf(all, isWrong, look).length;
  if (left === 0) return [];
  const wrong = Math.max(0, all.filter(isWrong).length - shownOf(all, isWrong, look).length);
  const well = left - wrong;
  return [
    ...(wrong > 0 ? [`  ${counted(wrong, `more ${look.noun}`)} with something wrong; --all shows them`] : []),
    ...(well > 0 ? [`  ${counted(well, `more ${look.noun}`)} ${well === 1 ? 'is' : 'are'} well`] : []),
  ];
}

interface ShownRow {
  readonly color: Color;
  readonly cells: readonly string[];
  /** Lines below it. */
  readonly more: readonly string[];
}

interface Rows<One> {
  readonly heading: readonly string[];
  rowOf(one: One, look: FleetLook): ShownRow;
}

const siteRows: Rows<SiteSight> = {
  heading: ['SITE', 'GATEWAYS', 'READY', 'OLDEST', 'DEAD', 'UNKNOWN', 'CERT'],
  rowOf: (one) => ({
    color: one.isGrave ? 'red' : one.troubled > 0 ? 'yellow' : 'green',
    cells: [
      one.site,
      `${one.beating}/${one.gateways}`,
      `${one.terminals.ready}/${one.terminals.served}`,
      ...sumCells(one),
    ],
    more: [],
  }),
};

const gatewayRows: Rows<GatewaySight> = {
  heading: ['GATEWAY', 'SITE', 'VERSION', 'CONFIG', 'READY', 'OLDEST', 'DEAD', 'UNKNOWN', 'CERT', 'BEAT'],
  rowOf(one, look) {
    const { digest, hasTold, lastBeatSeconds, troubles } = one;
    const { ready, served, configured } = digest.terminals;
    return {
      color: isGrave(one) ? 'red' : isTroubled(one) ? 'yellow' : 'green',
      cells: [
        digest.name,
        digest.site,
        digest.version,
        hasTold ? configText(one) : '-',
        hasTold ? `${ready}/${served}/${configured}` : '-',
        ...sumCells(one),
        spanText(lastBeatSeconds * 1000),
      ],
      more: troubleLines(troubles, look),
    };
  },
};

const sumCells = ({
  oldest,
  deadLetters,
  unknownOutcomes,
  certificateDays,
}: Omit<SiteSight, 'site'> | GatewaySight) => [
  oldest === null ? '-' : spanText(oldest),
  String(deadLetters),
  String(unknownOutcomes),
  certificateDays === null ? '-' : `${certificateDays} d`,
];

function configText({ digest: { config } }: GatewaySight): string {
  const { version, wanted } = config;
  const own = version === null ? 'own' : String(version);
  return wanted === null || wanted === version ? own : `${own}→${wanted}`;
}

function troubleLines(troubles: readonly Trouble[], { width, paint, isWhole }: FleetLook): readonly string[] {
  const shown = isWhole ? troubles : troubles.slice(0, mostTroubles);
  const left = troubles.length - shown.length;
  return [
    ...shown.flatMap((trouble) => {
      const { severity } = trouble;
      const [first = '', ...rest] = wrapped(printable(troubleText(trouble)), { width: width - 4, indent: 2 });
      const word = paint(severity, severity === 'error' ? 'red' : 'yellow');
      return [`    ${first.replace(severity, () => word)}`, ...rest.map((line) => `    ${line}`)];
    }),
    ...(left > 0 ? [`    and ${left} more; --all shows them`] : []),
  ];
}

function troubleText({ severity, scope, what, detail, span }: Trouble): string {
  const where = scope === 'agent' ? '' : ` at ${scope}`;
  const why = detail === undefined ? '' : `: ${detail}`;
  return `${severity}: ${what}${where}${span === undefined ? '' : ` for ${spanText(span)}`}${why}`;
}

function tableOf<One>(
  all: readonly One[],
  { heading, rowOf }: Rows<One>,
  look: FleetLook,
): readonly string[] {
  if (all.length === 0) return [];
  const rows = all.map((one) => {
    const { cells, ...row } = rowOf(one, look);
    return { ...row, cells: cells.map(printable) };
  });
  const widths = heading.map((title, at) =>
    Math.max(...[title, ...rows.map(({ cells }) => cells[at] ?? '')].map(columnsOf)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const { width, dot, paint } = look;
  return [
    '',
    paint(cutTo(width, `  ${line(heading)}`).join(''), 'bold'),
    ...rows.flatMap(({ color, cells, more }) => [
      `${paint(dot, color)} ${cutTo(width - 2, line(cells)).join('')}`,
      ...more,
    ]),
  ];
}
