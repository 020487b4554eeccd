/**
 * Judges what kills have left, from the records of the printer and the cloud alone (I1, I2): how often each document
 * came out, whether its history is there, whether it waits or is gone as it should. Nothing of the agent's own is asked.
 */
import { createHash } from 'node:crypto';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Output } from './kill-stage.ts';

/** What is asked of a stage. */
export interface Records {
  readonly cloud: SimulatedCloud;
  /** Everything that came out, in part or whole. */
  outputs(): readonly Output[];
  deviations(): readonly string[];
}

export interface Verdict {
  readonly documents: number;
  /** I1: documents that came out more than once, in part or whole. */
  readonly double: readonly string[];
  /** I2: documents that came out and have no history record. */
  readonly lost: readonly string[];
  /** Gone from the cloud, and did not come out whole. */
  readonly vanished: readonly string[];
  /** They wait in the cloud, and no badge lets them out: a person has to look. */
  readonly unknown: readonly string[];
  /** Of the unknown ones, those that came out whole. */
  readonly unknownButPrinted: readonly string[];
  /** Against the standards, as the cloud and the printer saw it. */
  readonly deviations: readonly string[];
}

/** Only when all is settled: nothing is printing, and the last badge let out all that it may. */
export function judge(stage: Records): Verdict {
  const { documents, history } = stage.cloud.state;
  const titles = new Set(history.map(({ title }) => title));
  const found = documents.map(({ bytes, info: { documentName, status } }) => {
    const outputs = stage.outputs().filter(({ jobName }) => titleOf(jobName) === documentName);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return {
      name: documentName,
      outputs: outputs.length,
      isWhole: outputs.some((output) => output.complete && output.sha256 === sha256),
      isWaiting: status === documentStatus.READY,
    };
  });
  const namesOf = (which: typeof found) => which.map(({ name }) => name);
  const unknown = found.filter(({ isWaiting }) => isWaiting);
  return {
    documents: documents.length,
    double: namesOf(found.filter(({ outputs }) => outputs > 1)),
    lost: namesOf(found.filter(({ name, outputs }) => outputs > 0 && !titles.has(name))),
    vanished: namesOf(found.filter(({ isWaiting, isWhole }) => !isWaiting && !isWhole)),
    unknown: namesOf(unknown),
    unknownButPrinted: namesOf(unknown.filter(({ isWhole }) => isWhole)),
    deviations: stage.deviations(),
  };
}

/** A job is named after its document, with the release's short id in brackets. */
export const titleOf = (jobName: string): string => jobName.replace(/ \[[0-9a-f]{8}\]$/, '');

/** What must not be, a sentence each. */
export const violationsOf = ({ double, lost, vanished, deviations }: Verdict): string[] => [
  ...double.map((name) => `${name} came out twice (I1)`),
  ...lost.map((name) => `${name} came out and has no history record (I2)`),
  ...vanished.map((name) => `${name} is gone and did not come out`),
  ...deviations,
];
