/** What every `Claims` must do: the embedded ones of a gateway that stands alone, and those of a fleet's engine (F4 to F6). */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Claim, ClaimedRelease, Claims, ClaimWish, Will } from '../../src/domain/ports/claims.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';
import type { EndState } from '../../src/domain/release.ts';
import { outcomeOf } from '../../src/domain/release.ts';
import { attempt } from '../support/store/release-samples.ts';

export interface ClaimsUnderTest extends AsyncDisposable {
  /** For two releases that want the same document: of one gateway, or of two. */
  readonly here: Claims;
  readonly there: Claims;
  /** The ledger has it that the release ended so, and the claims have heard of it. */
  ends(at: Claims, release: ClaimedRelease, state: EndState): Promise<void>;
}

const will: Will = {
  documentUuid: '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
  serialNumber: 'SN-0001',
  jobName: 'Salary letter.pdf [00000001]',
  printerUri: 'ipp://10.0.0.7/ipp/print',
  inOneStep: false,
  documentPages: 6,
  history: attempt().history,
};

export const wishFor = (documentUuid: string, more: Partial<ClaimWish> = {}): ClaimWish => ({
  documentUuid,
  releaseId: systemChance.uuid().replaceAll('-', ''),
  terminal: 'lobby',
  place: 'Entrance',
  finish: 'delete',
  will,
  ...more,
});

export const notStopped = { signal: new AbortController().signal };
export const take = (claims: Claims, wish: ClaimWish): Promise<Claim> => claims.take(wish, notStopped);
export const isClaimed = expect.objectContaining({ code: 'document-claimed' }) as Error;

const allEnds = Object.keys(outcomeOf) as readonly EndState[];
const outputs = allEnds.filter((state) => outcomeOf[state] !== 'failed');

export function claimsContract(open: () => Promise<ClaimsUnderTest>): void {
  it('F5: a document is given once, and to nobody else while it is in progress, whatever anybody says', async () => {
    await using scene = await open();
    const document = systemChance.uuid();
    const wish = wishFor(document);
    const claim = await take(scene.here, wish);
    expect(claim).toMatchObject({ documentUuid: document, releaseId: wish.releaseId });
    await expect(take(scene.there, wishFor(document))).rejects.toEqual(isClaimed);
    await expect(take(scene.there, wishFor(document, { again: wish.releaseId }))).rejects.toEqual(isClaimed);
    await expect(take(scene.here, wishFor(document, { finish: 'keep' }))).rejects.toEqual(isClaimed);
    await scene.here.sending(claim, undefined, notStopped);
    await expect(take(scene.there, wishFor(document, { again: wish.releaseId }))).rejects.toEqual(isClaimed);
  });

  it('F5: of many that want it at the same moment one has it', async () => {
    await using scene = await open();
    const document = systemChance.uuid();
    const asked = Array.from({ length: 16 }, (_, index) =>
      take(index % 2 === 0 ? scene.here : scene.there, wishFor(document)).catch((error: unknown) => error),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => isProblem(answer, 'document-claimed'))).toHaveLength(15);
  });

  it('again by the same release it is the same claim', async () => {
    await using scene = await open();
    const wish = wishFor(systemChance.uuid());
    const claim = await take(scene.here, wish);
    expect(await take(scene.here, wish)).toEqual(claim);
    await scene.here.sending(claim, undefined, notStopped);
    await scene.here.sending(claim, undefined, notStopped);
    expect(await take(scene.here, wish)).toEqual(claim);
  });

  it('a document is the same one however its uuid is written (RFC 9562 section 4)', async () => {
    await using scene = await open();
    const document = systemChance.uuid();
    await take(scene.here, wishFor(document.toUpperCase()));
    await expect(take(scene.there, wishFor(document))).rejects.toEqual(isClaimed);
  });

  it('is free again when nothing came out', async () => {
    await using scene = await open();
    const document = systemChance.uuid();
    const claim = await take(scene.here, wishFor(document));
    await scene.ends(scene.here, claim, 'NOOUTPUT');
    const wish = wishFor(document);
    expect(await take(scene.there, wish)).toMatchObject({ releaseId: wish.releaseId });
  });

  it.each(outputs)('I1: after %s it is given for that release alone, by a person’s word', async (state) => {
    await using scene = await open();
    const document = systemChance.uuid();
    const claim = await take(scene.here, wishFor(document));
    await scene.here.sending(claim, undefined, notStopped);
    await scene.ends(scene.here, claim, state);
    await expect(take(scene.there, wishFor(document))).rejects.toEqual(isClaimed);
    await expect(take(scene.there, wishFor(document, { again: 'f'.repeat(32) }))).rejects.toEqual(isClaimed);
    const again = wishFor(document, { again: claim.releaseId });
    expect(await take(scene.there, again)).toMatchObject({ releaseId: again.releaseId });
  });

  it.each(outputs)(
    'I1: after %s, and a repeat of it elsewhere by which nothing came out, it is as before',
    async (state) => {
      await using scene = await open();
      const document = systemChance.uuid();
      const claim = await take(scene.here, wishFor(document));
      await scene.ends(scene.here, claim, state);
      const again = { again: claim.releaseId };
      for (const at of [scene.there, scene.here, scene.there]) {
        await scene.ends(at, await take(at, wishFor(document, again)), 'NOOUTPUT');
        await expect(take(scene.there, wishFor(document))).rejects.toEqual(isClaimed);
        await expect(take(scene.here, wishFor(document))).rejects.toEqual(isClaimed);
      }
    },
  );

  it('where documents are kept, what was printed is given without a word, and what may have been is not', async () => {
    await using scene = await open();
    for (const [state, isGiven] of [
      ['CONFIRMED', true],
      ['UNKNOWN', false],
    ] as const) {
      const document = systemChance.uuid();
      await scene.ends(scene.here, await take(scene.here, wishFor(document)), state);
      const given = await take(scene.there, wishFor(document, { finish: 'keep' })).catch(() => undefined);
      expect([state, given !== undefined]).toEqual([state, isGiven]);
    }
  });

  it('F6: is lost to a release that has ended: it sends nothing', async () => {
    await using scene = await open();
    const claim = await take(scene.here, wishFor(systemChance.uuid()));
    await scene.ends(scene.here, claim, 'NOOUTPUT');
    await expect(scene.here.sending(claim, undefined, notStopped)).rejects.toMatchObject({
      code: 'claim-lost',
    });
  });
}
