/**
 * The end of each document of a fleet, from the records of the printer and of the service: how many prints, from which
 * gateway, and the history.
 */
import { createHash } from 'node:crypto';
import { shortReleaseId, shortIdsIn } from '../../domain/release.ts';
import type { SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { documentStatus } from '../../simulator/cloud/state.ts';
import type { PrinterOutput } from '../../simulator/printer/outputs.ts';
import type { Gateway } from './gateway.ts';
import { releasesSaid } from './gateway.ts';

export interface DocumentOutcome {
  readonly name: string;
  readonly outputs: readonly { readonly isWhole: boolean; readonly sentBy: string }[];
  /** The gateways that sent a record to the service: one name for each record. */
  readonly records: readonly string[];
  readonly isWaiting: boolean;
}

export function outcomesOf(
  cloud: Pick<SimulatedCloud, 'state'>,
  outputs: readonly PrinterOutput[],
  gateways: readonly Pick<Gateway, 'name' | 'log'>[],
): readonly DocumentOutcome[] {
  const gatewayThatLogged = (msg: string, short: string): string =>
    gateways.find(({ log }) => releasesSaid(log.records, msg).some((id) => shortReleaseId(id) === short))
      ?.name ?? 'nobody we know';
  return cloud.state.documents.map(({ info, bytes }) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const own = outputs.filter(({ jobName }) => jobName.includes(info.documentName));
    const releases = releasesOf(info.uuid, gateways);
    const posted = gateways.flatMap(({ name, log }) =>
      releasesSaid(log.records, 'history accepted')
        .filter((id) => releases.has(id))
        .map(() => name),
    );
    const { length } = cloud.state.history.filter(({ title }) => title === info.documentName);
    return {
      name: info.documentName,
      outputs: own.map((output) => ({
        isWhole: output.complete && output.sha256 === sha256,
        sentBy: gatewayThatLogged('release started', shortIdsIn(output.jobName).at(-1) ?? ''),
      })),
      records: Array.from({ length }, (_, place) => posted[place] ?? 'a killed gateway'),
      isWaiting: info.status === documentStatus.READY,
    };
  });
}

const releasesOf = (uuid: string, gateways: readonly Pick<Gateway, 'log'>[]): ReadonlySet<string> =>
  new Set(
    gateways.flatMap(({ log }) =>
      log.records
        .filter(({ msg, documentUuid }) => msg === 'release started' && documentUuid === uuid)
        .map(({ releaseId }) => String(releaseId)),
    ),
  );

/** Everything that must not happen, one sentence each. */
export const faultsOf = (outcomes: readonly DocumentOutcome[]): readonly string[] =>
  outcomes.flatMap(({ name, outputs, records, isWaiting }) => [
    ...(outputs.length > 1 ? [`${name} came out ${outputs.length} times.`] : []),
    ...(outputs.length > 0 && records.length === 0 ? [`${name} came out and is not in the history.`] : []),
    ...(outputs.length === 0 && !isWaiting ? [`${name} did not come out and no longer waits.`] : []),
  ]);

export const outcomeRows = (outcomes: readonly DocumentOutcome[]): readonly (readonly string[])[] => [
  ['Document', 'Came out', 'Sent by', 'In the history', 'In the service'],
  ...outcomes.map(({ name, outputs, records, isWaiting }) => [
    name,
    cameOut(outputs),
    outputs.map(({ sentBy }) => sentBy).join(', ') || 'nobody',
    records.length === 0 ? 'no' : `${times(records.length)}, by ${records.join(', ')}`,
    isWaiting ? 'listed' : 'deleted',
  ]),
];

function cameOut(outputs: DocumentOutcome['outputs']): string {
  if (outputs.length === 0) return 'not at all';
  return outputs.every(({ isWhole }) => isWhole)
    ? times(outputs.length)
    : `${times(outputs.length)}, in part`;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
