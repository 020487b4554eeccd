/** The port CardRelay over the wire: spec, Card reader; api-supplement.md 12, rows 42 and 43. */
import { describe, expect, it } from 'vitest';
import type { MacFormat } from '../../../src/cloud/resources/card-relay.ts';
import { createCardRelay, usualMacFormat } from '../../../src/cloud/resources/card-relay.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';
import { problemOf } from '../cloud-under-test.ts';
import { answerJson, answerStatus } from '../scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const card = new CardNumber('04A2;B3=C4');
const read = { card, readerMac: '0a:1b:2c:3d:4e:5f' };
const usual = { macFormat: usualMacFormat };

describe('a relayed card', () => {
  it.each<[MacFormat, string, string]>([
    [usualMacFormat, '0a1b.2c3d.4e5f', '0A%3A1B%3A2C%3A3D%3A4E%3A5F'],
    [{ letters: 'lower', separator: 'dash' }, '0A:1B:2C:3D:4E:5F', '0a-1b-2c-3d-4e-5f'],
    [{ letters: 'upper', separator: 'none' }, '0a-1b-2c-3d-4e-5f', '0A1B2C3D4E5F'],
  ])('goes out in the query with the address as %j', async (macFormat, readerMac, mac) => {
    await using under = await resourceWith(answerStatus(200));
    await createCardRelay({ ...under.parts, macFormat }).release({ card, readerMac }, asUser);
    expect(requestsOf(under)).toEqual([`POST /api/v1/card?cd=04A2%3BB3%3DC4&Mac=${mac}`]);
  });

  it('of a reader without a proper address is not sent', async () => {
    await using under = await resourceWith(answerStatus(200));
    const relay = createCardRelay({ ...under.parts, ...usual });
    expect((await problemOf(relay.release({ card, readerMac: '0a:1b' }, asUser))).code).toBe(
      'config-invalid',
    );
    expect(under.server.asked).toEqual([]);
  });

  it('is sent once: what it releases would be released again', async () => {
    await using under = await resourceWith((response) => response.socket?.resetAndDestroy());
    const relay = createCardRelay({ ...under.parts, ...usual });
    expect((await problemOf(relay.release(read, asUser))).delivery).toBe('perhaps');
    expect(under.server.asked).toHaveLength(1);
  });

  it('that is refused by an error code is refused, and no message holds its number (I5)', async () => {
    await using under = await resourceWith(answerJson({ errorCode: 1001 }));
    const problem = await problemOf(createCardRelay({ ...under.parts, ...usual }).release(read, asUser));
    expect(problem).toMatchObject({ code: 'cloud-rejected', reasons: ['output-document-error'] });
    expect(problem.message).not.toContain('04A2');
  });

  itGoesWithEitherToken(
    (parts, options) => createCardRelay({ ...parts, ...usual }).release(read, options),
    answerStatus(200),
  );
  itRejectsRefusals((parts, options) => createCardRelay({ ...parts, ...usual }).release(read, options));
});
