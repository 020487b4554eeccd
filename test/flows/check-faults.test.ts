/** `platen check` names what is wrong with the service in words an administrator understands. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { StandardFault } from '../../src/simulator/cloud/standard-faults.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { commandHere } from '../support/command-here.ts';
import type { ServiceStage } from '../commands/service-stage.ts';
import { setServiceStage } from '../commands/service-stage.ts';

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly detail: string;
}

async function check(stage: ServiceStage): Promise<readonly Finding[]> {
  const { code, out } = await commandHere(['check', '-c', stage.configFile, '--json']);
  const findings = JSON.parse(out) as Finding[];
  expect(code).toBe(findings.some(({ state }) => state === 'failed') ? 1 : 0);
  return findings;
}

const lineOf = (findings: readonly Finding[], what: string) => findings.find((one) => one.what === what);

/** What has to be said of each fault of the one call that `check` makes. */
const words: Readonly<Record<StandardFault, RegExp>> = {
  'status 400': /400 \(Bad Request\).*does not understand/,
  'status 401': /401.*does not accept the API key/,
  'status 403': /403.*API key is wrong, expired or disabled/,
  'status 404': /404.*no print service at this address\. Correct cloud\.baseUrl/,
  'status 405': /405.*not the print service/,
  'status 408': /408.*Check the network/,
  'status 425': /425.*has just started/,
  'status 429 with Retry-After': /429.*too many requests/,
  'status 429 with a date': /429.*too many requests/,
  'status 500': /500.*service has a fault/,
  'status 502': /502.*gateway or load balancer.*does not reach the print service/,
  'status 503': /503.*overloaded or under maintenance/,
  'status 503 with Retry-After': /503.*overloaded or under maintenance/,
  'status 504': /504.*gateway or load balancer.*is too slow/,
  'a redirect': /302.*redirects to another one/,
  'no body at all': /the answer is empty/,
  'malformed JSON': /the answer is not JSON/,
  'unasked XML': /the answer is XML, not JSON/,
  'another schema': /version: Invalid input.*proxy or a captive portal/,
  'a page of HTML': /the answer is a web page, not JSON.*captive portal/,
  '10 MB': /the answer is larger than 65536 bytes/,
  'a body cut short': /the answer broke off: the connection was closed/,
  'a cut chunk': /the answer broke off: the connection was closed/,
  'a cut body without length': /the answer does not tell its length/,
  'trailing bytes': /the answer is not JSON/,
  'unasked gzip': /the answer is packed, which was not asked for/,
  'late headers': /no answer: too slow/,
  'an answer byte by byte': /the answer broke off: too slow/,
  'no answer': /no answer: too slow/,
  'a reset': /no answer: the connection was reset/,
  'an answer lost': /no answer: the connection was reset/,
};

describe('platen check tells what is wrong with the service', () => {
  const faults = Object.keys(words) as StandardFault[];

  it.concurrent.each(faults)('%s', async (fault) => {
    await using stage = await setServiceStage({ device: 'new' });
    stage.cloud.always({ path: '/api/v1/version' }, standardFaults[fault]);
    const findings = await check(stage);
    expect(lineOf(findings, 'cloud')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(words[fault]),
    });
    // One cause, one line that fails: what could not be compared is only waited for.
    expect(findings.filter(({ state }) => state === 'failed')).toHaveLength(1);
  });

  it.each([
    ['status 404', 'failed', /no account for this address.*Correct cloud\.baseUrl; it ends before \/api\/v1/],
    ['status 401', 'ok', /accepts the API key/],
    ['status 403', 'ok', /accepts the API key/],
    ['status 405', 'ok', /accepts the API key/],
    ['status 503', 'failed', words['status 503']],
    ['a redirect', 'failed', words['a redirect']],
    ['a reset', 'failed', words['a reset']],
  ] as const)('and asks first without the key, %s to which is: %s', async (fault, state, detail) => {
    await using stage = await setServiceStage({ device: 'new' });
    stage.cloud.always({ method: 'HEAD', path: '/api/v1/account' }, standardFaults[fault]);
    const line = lineOf(await check(stage), 'cloud');
    expect(line).toMatchObject({ state, detail: expect.stringMatching(detail) });
    const [first] = stage.cloud.calls;
    expect([first?.method, first?.path]).toEqual(['HEAD', '/api/v1/account']);
  });

  it('and asks once more with the device token where an account wants one for every call (row 44)', async () => {
    await using stage = await setServiceStage({ cloud: { versionFor: 'tokens' } });
    expect(lineOf(await check(stage), 'cloud')).toMatchObject({ state: 'ok' });
    stage.cloud.withdrawTrust();
    expect(lineOf(await check(stage), 'cloud')?.detail).toMatch(
      /403.*to the API key alone; then .*403.*whether the service still trusts this endpoint\./,
    );
  });

  it('and names what else it may be where there is no device token yet (row 44)', async () => {
    await using stage = await setServiceStage({ device: 'new', cloud: { versionFor: 'tokens' } });
    expect(lineOf(await check(stage), 'cloud')?.detail).toMatch(
      /API key is wrong.*Or the account needs a device token, and there is none yet/,
    );
  });

  it('knows every fault of the standard set', () => {
    expect(faults.toSorted()).toEqual(Object.keys(standardFaults).toSorted());
  });

  it('a service that is not there, a name without address, a port that speaks no TLS', async () => {
    await using stage = await setServiceStage({ device: 'new' });
    await stage.cloud.goAway();
    expect(lineOf(await check(stage), 'connection')?.detail).toMatch(
      /connection was refused. Check the address and the port/,
    );
    await stage.cloud.comeBack();

    const config = parse(await readFile(stage.configFile, 'utf8')) as { cloud: Record<string, string> };
    const at = async (baseUrl: string) => {
      const changed = { ...config, cloud: { ...config.cloud, baseUrl, authUrl: baseUrl } };
      await writeFile(join(stage.folder, 'platen.yaml'), stringify(changed));
      return check(stage);
    };
    const nowhere = await at('https://no-such-host.invalid:7300');
    expect(lineOf(nowhere, 'name lookup')?.detail).toMatch(
      /no-such-host\.invalid: (its name has no address|the DNS server)/,
    );
    const plain = await at(stage.cloud.baseUrl.replace('http:', 'https:'));
    expect(lineOf(plain, 'TLS')?.detail).toMatch(/there is no TLS on this port. Check the port/);
  });

  it('a clock that is wrong', async () => {
    await using stage = await setServiceStage({ device: 'new' });
    stage.cloud.always(
      { path: '/api/v1/version' },
      {
        kind: 'status',
        status: 200,
        headers: {
          'content-type': 'application/json',
          'content-length': '17',
          date: 'Sat, 01 Jan 2000 00:00:00 GMT',
        },
        body: '{"version":"1.0"}',
      },
    );
    expect(lineOf(await check(stage), 'clock')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/s ahead of the service\. Set the clock, or let NTP set it/),
    });
  });
});
