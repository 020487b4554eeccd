/** The port CardRelay over the wire: spec, Card reader; src/cloud/README.md 12, row 42. */
import { describe, expect, it } from 'vitest';
import { createCardRelay } from '../../../src/cloud/resources/card-relay.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const card = new CardNumber('04A2;B3=C4');
const read = { card, readerMac: '0a:1b:2c:3d:4e:5f' };

describe('a relayed card', () => {
  it('goes out in the query, with the address as it is spelled', async () => {
    await using under = await resourceWith(answerStatus(200));
    await createCardRelay(under.parts).release(read, asUser);
    expect(requestsOf(under)).toEqual([
      'POST /api/v1/card?cd=04A2%3BB3%3DC4&Mac=0a%3A1b%3A2c%3A3d%3A4e%3A5f',
    ]);
  });

  it('is sent once: what it releases would be released again', async () => {
    await using under = await resourceWith((response) => response.socket?.resetAndDestroy());
    const relay = createCardRelay(under.parts);
    expect((await problemOf(relay.release(read, asUser))).delivery).toBe('perhaps');
    expect(under.server.asked).toHaveLength(1);
  });

  it('that is refused by an error code is refused, and no message holds its number (I5)', async () => {
    await using under = await resourceWith(answerJson({ errorCode: 1001 }));
    const problem = await problemOf(createCardRelay(under.parts).release(read, asUser));
    expect(problem).toMatchObject({ code: 'cloud-rejected', reasons: ['output-document-error'] });
    expect(problem.message).not.toContain('04A2');
  });

  itGoesWithEitherToken((parts, options) => createCardRelay(parts).release(read, options), answerStatus(200));
  itRejectsRefusals((parts, options) => createCardRelay(parts).release(read, options));
});
