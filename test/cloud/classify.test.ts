/** The classifier's table: INVARIANTS.md B.3, and Retry-After of RFC 9110 section 10.2.3. */
import { describe, expect, it } from 'vitest';
import type { Authority } from '../../src/cloud/http/classify.ts';
import { faultProblem, retryAfterOf, statusProblem } from '../../src/cloud/http/classify.ts';
import type { Answer } from '../../src/cloud/http/json.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';

const now = Date.UTC(2026, 10, 21, 12);
const answer = (status: number, more: Partial<Answer> = {}): Answer => ({
  call: 'GET /somewhere',
  status,
  headers: {},
  body: Buffer.alloc(0),
  ...more,
});
const body = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });

describe('a status', () => {
  const table: readonly [status: number, code: ProblemCode, delivery: 'answered' | 'perhaps'][] = [
    [301, 'cloud-protocol', 'answered'],
    [302, 'cloud-protocol', 'answered'],
    [307, 'cloud-protocol', 'answered'],
    [400, 'cloud-rejected', 'answered'],
    [403, 'cloud-denied', 'answered'],
    [404, 'cloud-not-found', 'answered'],
    [405, 'cloud-feature-off', 'answered'],
    [408, 'cloud-busy', 'perhaps'],
    [409, 'cloud-rejected', 'answered'],
    [418, 'cloud-rejected', 'answered'],
    [425, 'cloud-busy', 'perhaps'],
    [429, 'cloud-busy', 'perhaps'],
    [500, 'cloud-busy', 'perhaps'],
    [501, 'cloud-feature-off', 'answered'],
    [502, 'cloud-busy', 'perhaps'],
    [503, 'cloud-busy', 'perhaps'],
    [504, 'cloud-busy', 'perhaps'],
    [599, 'cloud-rejected', 'answered'],
  ];

  it.each(table)('%i is %s, delivery %s, whoever asks (B.3)', (status, code, delivery) => {
    for (const authority of ['device', 'user', 'key'] as const) {
      expect(statusProblem(answer(status), authority, now)).toMatchObject({ code, status, delivery });
    }
  });

  it.each([200, 201, 204])('%i is no problem', (status) => {
    expect(statusProblem(answer(status), 'user', now)).toBeUndefined();
  });

  it.each<[Authority, ProblemCode]>([
    ['device', 'device-token-refused'],
    ['user', 'user-token-refused'],
    ['login', 'login-refused'],
    ['key', 'cloud-denied'],
  ])('401 to a call by the %s is %s (B.3)', (authority, code) => {
    expect(statusProblem(answer(401), authority, now)?.code).toBe(code);
  });

  it.each([
    ['nothing', answer(401), ''],
    ['that it does not know why', answer(401, body({ errorCode: 10000 })), ', error 10000 (unknown-error)'],
    ['nothing, with a 404', answer(404), ''],
  ])('a refused login says what can be the matter where the service says %s', (_, refusal, also) => {
    const { message, advice } = statusProblem(refusal, 'login', now) ?? {};
    expect(message).toBe(
      `Sign-in refused: card unknown, PIN wrong, or user locked (GET /somewhere: status ${refusal.status}${also})`,
    );
    expect(advice).toBe('Check the card and the user in the print service.');
  });

  it('a refused login says what the service says of it', () => {
    const refusal = answer(401, body({ errorCode: 1051 }));
    expect(statusProblem(refusal, 'login', now)?.message).toContain('The license of the service has expired');
  });

  it.each([
    ['its header', { headers: { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' } }],
    ['its body', body({ error: 'invalid_token' })],
  ])('401 to a login that names the token in %s refuses the device, not the card', (_, more) => {
    expect(statusProblem(answer(401, more), 'login', now)?.code).toBe('device-token-refused');
  });

  it('404 to a login is an unknown card (src/cloud/README.md 12, row 10)', () => {
    expect(statusProblem(answer(404), 'login', now)?.code).toBe('login-refused');
  });

  it('tells the errorCode of the spec and what it means', () => {
    const problem = statusProblem(answer(400, body({ errorCode: 1042 })), 'user', now);
    expect(problem?.reasons).toEqual(['output-not-ready']);
    expect(problem?.message).toMatch(
      /^GET \/somewhere: status 400 \(Bad Request\), error 1042 \(output-not-ready\): The printer /,
    );
  });

  it('repeats no free text of the answer (I5)', () => {
    const more = body({ error: 'The key canary is wrong', message: 'canary', error_description: 'canary' });
    expect(statusProblem(answer(400, more), 'user', now)?.message).not.toContain('canary');
  });
});

describe('Retry-After', () => {
  it.each<[string, string, Record<string, string>, number | undefined]>([
    ['seconds', '7', {}, 7000],
    ['seconds below the least', '0', {}, 1000],
    ['seconds above the most', '86400', {}, 3_600_000],
    ['a number beyond all clocks', '9'.repeat(400), {}, 3_600_000],
    [
      "a date against the answer's own clock",
      'Sat, 21 Nov 2026 09:00:30 GMT',
      { date: 'Sat, 21 Nov 2026 09:00:00 GMT' },
      30_000,
    ],
    ['a date without another', 'Sat, 21 Nov 2026 12:01:00 GMT', {}, 60_000],
    ['a date in the past', 'Sat, 21 Nov 2026 08:00:00 GMT', {}, 1000],
    ['nonsense', 'soon', {}, undefined],
    ['less than nothing', '-5 s', {}, undefined],
  ])('of %s', (_, text, headers, wait) => {
    expect(retryAfterOf({ ...headers, 'retry-after': text }, now)).toBe(wait);
  });

  it('is told where the service is busy, and nowhere else', () => {
    const headers = { 'retry-after': '7' };
    expect(statusProblem(answer(503, { headers }), 'user', now)?.retryAfter).toBe(7000);
    expect(statusProblem(answer(400, { headers }), 'user', now)?.retryAfter).toBeUndefined();
  });
});

const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('a fault', () => {
  const timeout = new DOMException('too late', 'TimeoutError');

  it.each([
    ['refused', coded('ECONNREFUSED'), 'connecting', 'cloud-unreachable', 'not-sent'],
    ['a name without address', coded('ENOTFOUND'), 'connecting', 'cloud-unreachable', 'not-sent'],
    [
      'a wrong certificate',
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'connecting',
      'cloud-unreachable',
      'not-sent',
    ],
    ['no connection in time', timeout, 'connecting', 'cloud-unreachable', 'not-sent'],
    ['a reset before any answer', coded('ECONNRESET'), 'sent', 'cloud-unreachable', 'perhaps'],
    ['no answer in time', timeout, 'sent', 'cloud-unreachable', 'perhaps'],
    [
      'an answer that is no HTTP',
      Object.assign(new Error('no'), { name: 'HTTPParserError' }),
      'sent',
      'cloud-protocol',
      'perhaps',
    ],
    ['a cut answer', coded('UND_ERR_SOCKET'), 'answering', 'cloud-protocol', 'perhaps'],
    ['a body that comes too slowly', timeout, 'answering', 'cloud-busy', 'perhaps'],
  ] as const)('%s: told by what was sent (B.3)', (_, error, stage, code, delivery) => {
    expect(faultProblem({ call: 'POST /x', error, stage })).toMatchObject({ code, delivery, cause: error });
  });

  it('of a download that breaks off is a cut document', () => {
    const fault = { call: 'GET /x', error: coded('UND_ERR_SOCKET'), stage: 'answering' } as const;
    expect(faultProblem({ ...fault, brokenOff: 'document-cut' }).code).toBe('document-cut');
  });
});
