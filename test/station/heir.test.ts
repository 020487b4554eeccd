/** Who goes on with what another gateway left: the terminal that has the printer, be it one of several. */
import { expect, it } from 'vitest';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import { createHeir } from '../../src/station/heir.ts';
import type { Station } from '../../src/station/station.ts';

it('is whoever has its printer, the first of them or another; else anybody, and nobody can be asked', () => {
  const resumed: string[] = [];
  const station = (id: string, ...uris: readonly string[]) => {
    const resume = (attempts: readonly OpenAttempt[]) => {
      for (const { releaseId } of attempts) resumed.push(`${id}: ${releaseId}`);
    };
    return { id, printerUris: () => uris, desk: { resume } } as unknown as Station;
  };
  const stations = [station('hall', 'ipp://1'), station('lobby', 'ipp://2', 'ipp://3')];
  const heir = createHeir(() => stations, { open: () => [] });
  expect(['ipp://1', 'ipp://3', 'ipp://4'].map((uri) => heir.canAsk(uri))).toEqual([true, true, false]);
  const left = (releaseId: string, printerUri: string | undefined) =>
    ({ releaseId, printerUri, terminal: 'lobby' }) as Partial<OpenAttempt> as OpenAttempt;
  heir.resume([left('a', 'ipp://3'), left('b', 'ipp://4'), left('c', undefined)]);
  expect(resumed).toEqual(['lobby: a', 'hall: b', 'lobby: c']);
});
