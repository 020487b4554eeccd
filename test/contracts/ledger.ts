/** What every `Ledger` must do, the real one and a fake alike. */
import { expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import type { EndState } from '../../src/domain/release.ts';
import { endState } from '../../src/store/columns.ts';
import {
  attempt,
  inheritance,
  intend,
  intendByService,
  job,
  printerUri,
  release,
  releaseId,
} from '../support/store/release-samples.ts';

const nothing = { deletionOwed: false, holdFor: seconds(0) };

export function ledgerContract(open: () => Ledger & Disposable): void {
  test('a document never released here has no last release', () => {
    using ledger = open();
    expect(ledger.lastRelease('doc-1')).toBeUndefined();
    expect(ledger.open()).toEqual([]);
  });

  test('an attempt can be found with its state, its job and its job-name until it ends', () => {
    using ledger = open();
    const planned = attempt();
    const id = planned.ticket.releaseId;
    const seen: unknown[] = [];
    const look = () => seen.push(ledger.open().map(({ state, job: known }) => [state, known?.jobId]));
    ledger.plan(planned);
    look();
    ledger.fetched(id, { length: 5, digest: '00' });
    look();
    ledger.intend(id, 'ipp://p/');
    look();
    ledger.jobCreated(id, job);
    look();
    ledger.sent(id);
    expect(ledger.open()).toMatchObject([
      {
        releaseId: id,
        terminal: 'lobby',
        state: 'SENT',
        documentUuid: 'doc-1',
        jobName: planned.jobName,
        printerUri: 'ipp://p/',
        job,
      },
    ]);
    ledger.end(id, { state: 'CONFIRMED', confirmation: 'device', ...nothing });
    look();
    expect(seen).toEqual([
      [['PLANNED', undefined]],
      // It is written with the intent: until then a crash leaves the document as it was.
      [['PLANNED', undefined]],
      [['INTENT', undefined]],
      [['JOB', 12]],
      [],
    ]);
  });

  test('F9: a claim that others hear of is kept with the intent, and found with what is open', () => {
    using ledger = open();
    const planned = attempt();
    const id = planned.ticket.releaseId;
    const claim = { documentUuid: 'doc-1', releaseId: id, number: 41, version: 2 };
    ledger.plan(planned);
    ledger.intend(id, 'ipp://p/', { claim });
    expect(ledger.open()).toMatchObject([{ releaseId: id, claim }]);
    const delivered = attempt({ release: 2 });
    const other = { ...claim, documentUuid: 'doc-2', releaseId: delivered.ticket.releaseId };
    ledger.plan(delivered);
    ledger.intendByService(other.releaseId, 'SN-0001', other);
    expect(ledger.open().map(({ claim: found }) => found)).toEqual([claim, other]);
  });

  test.each([
    ['PLANNED', 'PLANNED'],
    ['INTENT', 'INTENT'],
    ['JOB', 'JOB'],
  ] as const)(
    'F6: what a gone member left at %s is open here, with all that it is known by',
    (state, found) => {
      using ledger = open();
      const left = inheritance(state);
      const { claim, will } = left;
      ledger.inherit(left);
      const ours = {
        releaseId: claim.releaseId,
        documentUuid: claim.documentUuid,
        terminal: 'lobby',
        claim,
        state: found,
        jobName: will.jobName,
        documentPages: 6,
        from: left.from,
        printerUri: state === 'PLANNED' ? undefined : printerUri,
        job: state === 'JOB' ? job : undefined,
      };
      expect(ledger.open()).toMatchObject([ours]);
      ledger.inherit(left);
      expect(ledger.open()).toHaveLength(1);
      ledger.end(claim.releaseId, { state: state === 'PLANNED' ? 'NOOUTPUT' : 'UNKNOWN', ...nothing });
      ledger.inherit(left);
      expect(ledger.open()).toEqual([]);
    },
  );

  test('F6: of what the service was to print, the service is the one who knows', () => {
    using ledger = open();
    const left = inheritance('INTENT');
    ledger.inherit({ ...left, will: { ...left.will, printerUri: undefined } });
    expect(ledger.open()).toMatchObject([{ state: 'SERVICE-INTENT', printerUri: undefined }]);
  });

  test.each(['HANDED-OVER', 'UNKNOWN'] as const)(
    'what a gone member had ended as %s is the last word here too',
    (state) => {
      using ledger = open();
      const left = inheritance(state);
      ledger.inherit(left);
      ledger.inherit(left);
      expect(ledger.open()).toEqual([]);
      const { documentUuid, releaseId: id } = left.claim;
      expect(ledger.lastRelease(documentUuid)).toEqual({ releaseId: id, state, deletionOwed: true });
    },
  );

  test('I1: nothing is inherited of a document that is on its way here', () => {
    using ledger = open();
    intend(ledger, { release: 2, uuid: 'doc-1' });
    expect(() => ledger.inherit(inheritance('INTENT'))).toThrow(Error);
    expect(ledger.open()).toMatchObject([{ releaseId: releaseId(2) }]);
  });

  test('the last release but for one is the one before it', () => {
    using ledger = open();
    const first = release(ledger, 'UNKNOWN', { release: 1, uuid: 'doc-1' });
    ledger.plan(attempt({ release: 2, uuid: 'doc-1' }));
    expect(ledger.lastRelease('doc-1')).toMatchObject({ releaseId: releaseId(2), state: 'PLANNED' });
    expect(ledger.lastRelease('doc-1', { but: releaseId(2) })).toMatchObject({ releaseId: first });
  });

  test('I1: what the service delivers has its intent first, and can end in any way', () => {
    using ledger = open();
    for (const [number, state] of endState.options.entries()) {
      const id = intendByService(ledger, { release: number + 1 });
      expect(ledger.open()).toMatchObject([
        { releaseId: id, state: 'SERVICE-INTENT', printerUri: undefined },
      ]);
      ledger.end(id, { state, history: 'service', ...nothing });
      expect(ledger.lastRelease(`doc-${number + 1}`)).toMatchObject({ releaseId: id, state });
    }
    expect(ledger.open()).toEqual([]);
  });

  test('I1: what the service refused goes on as the same attempt, with an intent of its own', () => {
    using ledger = open();
    const id = intendByService(ledger);
    expect(() => ledger.fetched(id, { length: 5, digest: '00' })).toThrow(Error);
    expect(() => ledger.intend(id, 'ipp://p/')).toThrow(Error);
    ledger.refusedByService(id);
    expect(() => ledger.refusedByService(id)).toThrow(Error);
    expect(() => ledger.intendByService(id, 'SN-0001')).toThrow(Error);
    expect(() => ledger.end(id, { state: 'UNKNOWN', ...nothing })).toThrow(Error);
    ledger.fetched(id, { length: 5, digest: '00' });
    ledger.intend(id, 'ipp://p/');
    expect(ledger.open()).toMatchObject([{ releaseId: id, state: 'INTENT', printerUri: 'ipp://p/' }]);
  });

  test('I1: an intent at our own printer is nothing the service could refuse', () => {
    using ledger = open();
    const id = intend(ledger);
    expect(() => ledger.refusedByService(id)).toThrow(Error);
    expect(ledger.open()).toMatchObject([{ state: 'INTENT' }]);
  });

  test('open attempts come oldest first', () => {
    using ledger = open();
    for (const number of [3, 1, 2]) ledger.plan(attempt({ release: number }));
    expect(ledger.open().map((one) => one.releaseId)).toEqual([3, 1, 2].map(releaseId));
  });

  test('a deletion is owed from the end of the release until it is made', () => {
    using ledger = open();
    const id = release(ledger, 'CONFIRMED');
    expect(ledger.lastRelease('doc-1')).toEqual({ releaseId: id, state: 'CONFIRMED', deletionOwed: true });
    ledger.deleted(id);
    ledger.deleted(id);
    expect(ledger.lastRelease('doc-1')).toEqual({ releaseId: id, state: 'CONFIRMED', deletionOwed: false });
  });

  test.each(endState.options)('I11: nothing follows %s', (state) => {
    using ledger = open();
    const id = release(ledger, state);
    for (const next of endState.options)
      expect(() => ledger.end(id, { state: next, ...nothing })).toThrow(Error);
    expect(() => ledger.intend(id, 'ipp://p/')).toThrow(Error);
    expect(() => ledger.jobCreated(id, job)).toThrow(Error);
    expect(() => ledger.sent(id)).toThrow(Error);
    expect(ledger.lastRelease('doc-1')?.state).toBe(state);
  });

  test.each<EndState>(['CONFIRMED', 'PARTIAL', 'UNKNOWN'])(
    'I1, I11: a later attempt without output leaves %s standing',
    (state) => {
      using ledger = open();
      const first = release(ledger, state);
      const second = intend(ledger, { release: 2, uuid: 'doc-1' });
      expect(ledger.lastRelease('doc-1')).toMatchObject({ releaseId: second, state: 'INTENT' });
      ledger.end(second, { state: 'NOOUTPUT', ...nothing });
      expect(ledger.lastRelease('doc-1')).toMatchObject({ releaseId: first, state });
    },
  );

  test('I1: a document that is on its way cannot be planned once more', () => {
    using ledger = open();
    intend(ledger);
    expect(() => ledger.plan(attempt({ release: 2, uuid: 'doc-1' }))).toThrow(Error);
    expect(ledger.open().map((one) => one.releaseId)).toEqual([releaseId(1)]);
  });

  test('before its intent an attempt can only end without output', () => {
    using ledger = open();
    ledger.plan(attempt());
    for (const state of endState.exclude(['NOOUTPUT']).options) {
      expect(() => ledger.end(releaseId(1), { state, ...nothing })).toThrow(Error);
    }
    ledger.end(releaseId(1), { state: 'NOOUTPUT', ...nothing });
    expect(ledger.lastRelease('doc-1')?.state).toBe('NOOUTPUT');
  });

  test('steps out of order and unknown releases are refused', () => {
    using ledger = open();
    const id = releaseId(1);
    expect(() => ledger.sent(id)).toThrow(Error);
    ledger.plan(attempt());
    expect(() => ledger.sent(id)).toThrow(Error);
    expect(() => ledger.confirmedByPerson(id)).toThrow(Error);
    expect(() => ledger.deleted(id)).toThrow(Error);
    expect(ledger.open()).toMatchObject([{ state: 'PLANNED' }]);
  });
}
