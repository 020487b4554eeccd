/** One person's document on its way, as the ledger's tests tell it. */
import { seconds } from '../../../src/core/duration.ts';
import { historyOf } from '../../../src/domain/history.ts';
import type { Inheritance, Ledger } from '../../../src/domain/ports/ledger.ts';
import type { EndState } from '../../../src/domain/release.ts';
import { jobName } from '../../../src/domain/release.ts';
import { sampleTicket } from '../sample-ticket.ts';

/** `1` becomes the release id `0000…0001`. */
export const releaseId = (number: number): string => number.toString(16).padStart(32, '0');

export const title = 'Salary letter.pdf';
export const userName = 'anna.lind';

export interface Sample {
  readonly release?: number;
  readonly uuid?: string;
  readonly terminal?: string;
  /** Of a fleet's engine. */
  readonly claim?: number;
}

export function attempt({ release: number = 1, uuid = `doc-${number}`, terminal = 'lobby' }: Sample = {}) {
  const ticket = sampleTicket(
    {
      uuid,
      name: title,
      totalPages: 3,
      colorPages: 1,
      copies: 2,
      sides: 'two-sided-long-edge',
      paperSize: 'A4',
    },
    { releaseId: releaseId(number), terminal, sendUsername: true },
  );
  const history = historyOf({
    ...ticket,
    port: { serialNumber: 'SN-0001' },
    dateTime: `2026-11-21T12:00:${String(number % 60).padStart(2, '0')}+00:00`,
  });
  return { ticket, jobName: jobName(title, ticket.releaseId), history };
}

export const printerUri = 'ipp://10.0.0.7/ipp/print';
export const job = { jobId: 12, jobUri: 'ipp://10.0.0.7/jobs/12', jobName: jobName(title, releaseId(1)) };

/** Walks a release to its INTENT. */
export function intend(ledger: Ledger, sample: Sample = {}): string {
  const planned = attempt(sample);
  const id = planned.ticket.releaseId;
  ledger.plan(planned);
  ledger.fetched(id, { length: 1000, digest: 'ab'.repeat(32) });
  const { claim: number } = sample;
  const { uuid: documentUuid } = planned.ticket.document;
  const claim = number === undefined ? {} : { claim: { documentUuid, releaseId: id, number, version: 1 } };
  ledger.intend(id, printerUri, claim);
  return id;
}

/** Walks a release to the intent that the service is to carry out. */
export function intendByService(ledger: Ledger, sample: Sample = {}): string {
  const planned = attempt(sample);
  ledger.plan(planned);
  ledger.intendByService(planned.ticket.releaseId, 'SN-0001');
  return planned.ticket.releaseId;
}

/** Walks a release over all of an IPP job to this end. */
export function release(ledger: Ledger, state: EndState, sample: Sample = {}): string {
  const id = intend(ledger, sample);
  ledger.jobCreated(id, job);
  ledger.sent(id);
  ledger.end(id, { state, deletionOwed: state === 'CONFIRMED', holdFor: seconds(3600) });
  return id;
}

/** What another member left of a release that it began with the same wish. */
export function inheritance(state: Inheritance['state'], sample: Sample = {}): Inheritance {
  const { ticket, history, jobName: name } = attempt(sample);
  const claim = { documentUuid: ticket.document.uuid, releaseId: ticket.releaseId, number: 41, version: 2 };
  return {
    claim,
    state,
    terminal: ticket.terminal,
    from: '6e0f7a30-4f2c-4d6e-9a52-5f3d1c2b7a10',
    will: {
      documentUuid: claim.documentUuid,
      serialNumber: 'SN-0001',
      jobName: name,
      printerUri,
      inOneStep: false,
      documentPages: 6,
      history,
    },
    ...(state === 'JOB' ? { job } : {}),
    deletionOwed: true,
    holdFor: seconds(3600),
    mayHaveArrived: false,
  };
}
