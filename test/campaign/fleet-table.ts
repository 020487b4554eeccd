/**
 * What a campaign of a fleet tells. `unknown`: documents that wait for a person's word in the end; its share is among
 * those whose release was in progress when the fault came.
 */
import { table } from '../../src/commands/terminal-text/table.ts';
import type { FaultKind } from './fleet-faults.ts';
import { faultKinds, usualKinds } from './fleet-faults.ts';
import type { FleetReport, StruckRun } from './fleet-runs.ts';
import type { Verdict } from './kill-oracle.ts';
import { protocols } from './kill-stage.ts';

type Found = StruckRun & { readonly verdict: Verdict };

const foundIn = (reports: readonly FleetReport[]): Found[] =>
  reports.flatMap(({ runs, verdict }) => runs.map((run) => ({ ...run, verdict })));

type Kind = 'unknown' | 'unknownButPrinted' | 'double' | 'lost';
const among = (found: readonly Found[], which: Kind): number =>
  found.filter(({ document, verdict }) => verdict[which].includes(document)).length;

export function lineOf(report: FleetReport): string {
  const found = foundIn([report]);
  const [unknown, double, lost] = (['unknown', 'double', 'lost'] as const).map((which) =>
    among(found, which),
  );
  const seconds = (report.took / 1000).toFixed(0);
  return `${found.length} over ${report.protocol}, ${unknown} unknown, ${double} double, ${lost} lost, ${seconds} s`;
}

export function tablesOf(
  reports: readonly FleetReport[],
  { asked, lanes }: { readonly asked: Readonly<Record<FaultKind, number>>; readonly lanes: number },
): string {
  const isCampaign = reports.every(({ runs }) => new Set(runs.map(({ kind }) => kind)).size === 1);
  const ofAll = [byKind(reports, asked), wholeCampaign(reports, { asked, lanes })];
  const cuts = [...new Set(reports.map((report) => `Cuts were of ${report.cuts}.`))];
  return [byProtocol(reports), ...(isCampaign ? ofAll : []), ...cuts].join('\n\n');
}

function byProtocol(reports: readonly FleetReport[]): string {
  const heading = ['protocol', 'fault', 'times', 'hit', 'unknown', 'of hit', 'of them printed', 'double'];
  const rows = protocols.flatMap((protocol) => {
    const found = foundIn(reports.filter((report) => report.protocol === protocol));
    const kinds = faultKinds.map((kind) => [kind, found.filter((run) => run.kind === kind)] as const);
    return [...kinds, ['all', found] as const]
      .filter(([, runs]) => runs.length > 0)
      .map(([kind, runs]) => {
        const hit = runs.filter((run) => run.hit);
        return [
          protocol,
          kind,
          String(runs.length),
          String(hit.length),
          String(among(runs, 'unknown')),
          shareOf(among(hit, 'unknown'), hit.length),
          ...(['unknownButPrinted', 'double', 'lost'] as const).map((which) => String(among(runs, which))),
        ];
      });
  });
  return table([[...heading, 'lost'], ...rows]);
}

const shareOf = (some: number, all: number): string =>
  all === 0 ? '–' : `${((100 * some) / all).toFixed(1)} %`;

function byKind(reports: readonly FleetReport[], asked: Readonly<Record<FaultKind, number>>): string {
  const found = foundIn(reports);
  const played = faultKinds.filter((kind) => found.some((run) => run.kind === kind));
  const rows = played.map((kind) => {
    const runs = found.filter((run) => run.kind === kind);
    const hit = runs.filter((run) => run.hit).length;
    const bad = (['double', 'lost'] as const).map((which) => String(among(runs, which)));
    return [kind, String(runs.length), String(asked[kind]), String(hit), ...bad];
  });
  return table([['fault', 'played', 'a whole one', 'hit', 'double', 'lost'], ...rows]);
}

/** As long as the runs of each kind took here. */
function wholeCampaign(
  reports: readonly FleetReport[],
  { asked, lanes }: { readonly asked: Readonly<Record<FaultKind, number>>; readonly lanes: number },
): string {
  // One that is of a single kind is a whole one by itself.
  const kinds = new Set(foundIn(reports).map(({ kind }) => kind));
  const wanted = kinds.size === 1 ? faultKinds.filter((kind) => kinds.has(kind)) : usualKinds;
  const spans = wanted.map((kind) => {
    const own = reports.filter(({ runs }) => runs.every((run) => run.kind === kind));
    const played = own.reduce((sum, { runs }) => sum + runs.length, 0);
    const took = own.reduce((sum, report) => sum + report.took, 0);
    return { kind, each: played === 0 ? undefined : took / played };
  });
  const unplayed = spans.filter(({ each }) => each === undefined).map(({ kind }) => kind);
  const hours = spans.reduce((sum, { kind, each = 0 }) => sum + (each * asked[kind]) / 3_600_000, 0) / lanes;
  const without = unplayed.length === 0 ? '' : `, without ${unplayed.join(', ')}`;
  return `A whole one in ${lanes} lanes as quick as these: ${hours.toFixed(1)} hours${without}.`;
}
