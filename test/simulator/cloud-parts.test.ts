/** Documents in parts, as the simulated cloud gives them (RFC 9110 sections 13.1.5 and 14). */
import { describe, expect, it } from 'vitest';
import { contentAnswer } from '../../src/simulator/cloud/calls/documents/documents.ts';
import { settingsOf } from '../../src/simulator/cloud/settings.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';

async function setUp(parts: 'by-etag' | 'by-date' | 'none') {
  await using cloud = await startCloud({ parts });
  const document = cloud.addDocument({ owner: 'alice', name: 'Atlas.pdf', bytes: Buffer.from('0123456789') });
  const ask = (headers: Record<string, string> = {}) =>
    contentAnswer(document, headers, settingsOf({ parts }));
  return { document, ask, name: ask().headers };
}

describe('the content of a document', () => {
  it.each([
    ['by-etag', 'etag'],
    ['by-date', 'last-modified'],
  ] as const)('with parts %s has a name, and its rest is given for that name', async (parts, header) => {
    const { ask, name } = await setUp(parts);
    const given = ask({ range: 'bytes=4-', 'if-range': name?.[header] ?? '' });
    expect(given).toMatchObject({ status: 206, headers: { ...name, 'content-range': 'bytes 4-9/10' } });
    expect(given.body.toString()).toBe('456789');
  });

  it('that has another name by now is given whole', async () => {
    const { document, ask, name } = await setUp('by-etag');
    document.info = { ...document.info, documentName: 'Atlas, revised.pdf' };
    expect(ask({ range: 'bytes=4-', 'if-range': name?.['etag'] ?? '' })).toMatchObject({ status: 200 });
  });

  it('has nothing behind its end', async () => {
    const { ask } = await setUp('by-etag');
    expect(ask({ range: 'bytes=10-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */10' },
    });
  });

  it('without parts is whole and nameless', async () => {
    const { ask } = await setUp('none');
    expect(ask({ range: 'bytes=4-' })).not.toHaveProperty('headers');
    expect(ask({ range: 'bytes=4-' }).status).toBe(200);
  });
});
