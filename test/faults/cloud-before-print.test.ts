/** The cloud fails before anything went to the printer: at the login, the list or the download (reliability.md B.4). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem-kinds.ts';
import type { CloudFault } from './cloud-faults.ts';
import { cloudFaults, elsewhere } from './cloud-faults.ts';
import { expectPrintedOnce, expectUntouched, setScene } from './scene.ts';

/** Where a call ends in the log when it failed for good. */
const calls = {
  login: { match: { method: 'POST', path: '/api/v1/login' }, told: 'login failed' },
  list: { match: { method: 'GET', path: '/api/v1/documents' }, told: 'list failed' },
  content: { match: { method: 'GET', path: /\.content$/ }, told: 'release ended' },
} as const;

interface Cell {
  readonly fault: CloudFault;
  readonly call: keyof typeof calls;
  readonly code: ProblemCode;
}

type Row = readonly [
  fault: CloudFault,
  login: ProblemCode,
  list: ProblemCode,
  content: ProblemCode | 'as it is',
];
const everywhere = (fault: CloudFault, code: ProblemCode): Row => [fault, code, code, code];

/** `as it is`: a document of which the cloud sends less or more as if it were whole cannot be known to be wrong. */
const rows: readonly Row[] = [
  ['a body cut short', 'cloud-protocol', 'cloud-protocol', 'document-cut'],
  ['a cut chunk', 'cloud-protocol', 'cloud-protocol', 'document-cut'],
  everywhere('a cut body without length', 'cloud-protocol'),
  ['malformed JSON', 'cloud-protocol', 'cloud-protocol', 'as it is'],
  ['no body at all', 'cloud-protocol', 'cloud-protocol', 'document-cut'],
  ['10 MB', 'cloud-protocol', 'cloud-protocol', 'document-not-printable'],
  ['trailing bytes', 'cloud-protocol', 'cloud-protocol', 'as it is'],
  everywhere('a page of HTML', 'cloud-protocol'),
  everywhere('a redirect', 'cloud-protocol'),
  everywhere('status 400', 'cloud-rejected'),
  ['status 401', 'login-refused', 'user-token-refused', 'user-token-refused'],
  everywhere('status 403', 'cloud-denied'),
  ['status 404', 'login-refused', 'cloud-not-found', 'document-gone'],
  everywhere('status 405', 'cloud-feature-off'),
  everywhere('status 429 with Retry-After', 'cloud-busy'),
  everywhere('status 500', 'cloud-busy'),
  everywhere('status 503 with Retry-After', 'cloud-busy'),
  everywhere('a reset', 'cloud-unreachable'),
  everywhere('an answer lost', 'cloud-unreachable'),
  everywhere('no answer', 'cloud-unreachable'),
  ['an answer byte by byte', 'cloud-busy', 'cloud-busy', 'cloud-busy'],
];
const cells = rows.flatMap(([fault, login, list, content]): Cell[] => [
  { fault, call: 'login', code: login },
  { fault, call: 'list', code: list },
  ...(content === 'as it is' ? [] : [{ fault, call: 'content' as const, code: content }]),
]);

describe('while the cloud fails, nothing is printed and the log says why; then the next badge works (I1, I7, I9)', () => {
  it.each(cells)('$call: $fault is $code', async ({ fault, call, code }) => {
    await using scene = await setScene();
    const { agent, cloud, clock } = scene;
    const { match, told } = calls[call];
    cloud.always(match, cloudFaults[fault]);
    scene.badge();
    expect(await clock.hurry(agent.told(told))).toMatchObject({ level: 'warn', code });
    if (call !== 'login') await agent.told('session closed');
    expectUntouched(scene);
    expect(cloud.calls.filter(({ path }) => path === elsewhere)).toEqual([]);

    cloud.behaveWell();
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });
});

describe('a fault that passes is not noticed by the person (B.3)', () => {
  const passing = [
    'a body cut short',
    'malformed JSON',
    'status 503 with Retry-After',
    'an answer lost',
  ] as const;
  const tries = passing.flatMap((fault) => (['login', 'list'] as const).map((call) => ({ fault, call })));

  it.each(tries)('$call: $fault, once', async ({ fault, call }) => {
    await using scene = await setScene();
    scene.cloud.answerNext(calls[call].match, cloudFaults[fault]);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(scene);
  });

  it('login: the device token is refused; it is refreshed and the login made again', async () => {
    await using scene = await setScene();
    // A token this old may have been refused for its age.
    scene.clock.forward(seconds(60));
    scene.cloud.expireTokens('device');
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(scene.agent.records.map(({ msg }) => msg)).toContain('device token refreshed');
    await expectPrintedOnce(scene);
  });
});
