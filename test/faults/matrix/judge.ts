/** What a cell must look like from outside in the end: in the printer's tray, in the cloud, on the screen. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ProblemCode } from '../../../src/domain/problem/problem-kinds.ts';
import { problemKinds } from '../../../src/domain/problem/problem-kinds.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { elsewhere } from '../../../src/simulator/cloud/standard-faults.ts';
import { complaintsAbout } from '../../support/cloud/exchanges.ts';
import type { MatrixStage } from './stage.ts';
import { eventually } from '../../support/patience.ts';

type Seen = Pick<MatrixStage, 'cloud' | 'printer' | 'soon' | 'caughtUp' | 'views' | 'publicViews'>;

const outputsOf = ({ printer }: Seen, { info }: CloudDocument) =>
  printer.outputs.filter(({ jobName }) => jobName.startsWith(info.documentName));

const recordsOf = ({ cloud }: Seen, { info }: CloudDocument): number =>
  cloud.state.history.filter(({ title }) => title === info.documentName).length;

/** `spoilt`: the cloud sent other bytes as if they were the document. */
export interface Printing {
  readonly records?: number;
  readonly bytes?: 'its own' | 'spoilt';
}

/** It lies in the tray once and whole, its history arrived, and it is gone from the cloud. */
export async function expectPrinted(seen: Seen, document: CloudDocument, printing: Printing = {}) {
  const { records = 1, bytes = 'its own' } = printing;
  const { cloud, soon } = seen;
  const isSettled = () =>
    recordsOf(seen, document) >= records && document.info.status === documentStatus.DELETED;
  await soon(cloud.waitFor(isSettled));
  const outputs = outputsOf(seen, document);
  expect(outputs).toMatchObject([{ complete: true }]);
  const own = createHash('sha256').update(document.bytes).digest('hex');
  expect(outputs[0]?.sha256 === own).toBe(bytes === 'its own');
  expect(recordsOf(seen, document)).toBe(records);
}

/** It was not printed and not recorded, and still waits in the cloud. */
export function expectUntouched(seen: Seen, document: CloudDocument): void {
  expect(outputsOf(seen, document)).toEqual([]);
  expect(recordsOf(seen, document)).toBe(0);
  expect(document.info.status).toBe(documentStatus.READY);
}

/** Nothing came out or was recorded twice, and whatever was said on the wire is as the spec has it (I1). */
export function expectOrder({ cloud, printer }: Seen): void {
  const names = printer.outputs.map(({ jobName }) => jobName.replace(/ \[.*$/, ''));
  expect(names).toEqual([...new Set(names)]);
  const titles = cloud.state.history.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  expect(complaintsAbout(cloud.calls)).toEqual([]);
  expect(cloud.calls.filter(({ path }) => path === elsewhere)).toEqual([]);
}

/** No passer-by is told of anybody or anything, and since the last badge nothing of the person before is shown (I3). */
export async function expectNothingOfAlice(
  { soon, caughtUp, views, publicViews }: Seen,
  told: ProblemCode | undefined,
) {
  await caughtUp();
  await soon(eventually(() => expect(views().at(-1)?.state).toMatch(/prompting|outOfService/)));
  expect(JSON.stringify(publicViews())).not.toMatch(/alice|bob|\.pdf/i);
  const generations = views().map(({ generation }) => generation);
  expect(generations).toEqual(generations.toSorted((a, b) => a - b));
  const bobs = views().slice(views().findLastIndex(({ state }) => state === 'authenticating'));
  expect(JSON.stringify(bobs)).not.toMatch(/alice/i);
  if (told) expect(bobs.map(({ sentence }) => sentence)).not.toContain(problemKinds[told].person);
}
