/** Which second address `platen init` takes for a service whose first one was answered, in a dialogue and by flags alike. */
import { expect, it } from 'vitest';
import { tryAddresses } from '../../../src/commands/init/service/both-addresses.ts';
import type { ServiceFault } from '../../../src/commands/init/service/service-look.ts';

const fault = (about: ServiceFault['about']): ServiceFault => ({ about, isVerdict: true, sentence: 'no' });

/** A service that answers devices at one of these addresses. */
async function found(baseUrl: string, at: string, present: { baseUrl?: string; authUrl?: string } = {}) {
  const tried: string[] = [];
  const { authUrl } = await tryAddresses(
    {
      present: { ...present, terminals: [], unfinished: [] },
      async tryService(service) {
        tried.push(service.authUrl);
        if (at === 'nowhere') return { faults: [fault('baseUrl'), fault('authUrl')] };
        return { faults: service.authUrl === at ? [] : [fault('authUrl')] };
      },
    },
    { baseUrl, authUrl: undefined, key: undefined },
  );
  return { authUrl, tried: tried.length };
}

it.each([
  ['https://a.test:7300', 'https://a.test:7400', 1],
  ['https://a.test:7300', 'https://a.test:7300', 2],
  ['https://a.test', 'https://a.test:7400', 2],
])('of %s it is %s, found at the %ith try', async (baseUrl, authUrl, tried) => {
  expect(await found(baseUrl, authUrl)).toEqual({ authUrl, tried });
});

it('is not looked for where not even the first address answers', async () => {
  expect(await found('https://a.test:7300', 'nowhere')).toEqual({ authUrl: 'https://a.test:7400', tried: 1 });
});

it('stays as the file says it beside a service that stays', async () => {
  const present = { baseUrl: 'https://a.test:7300', authUrl: 'https://b.test' };
  expect(await found('https://a.test:7300', 'https://a.test:7400', present)).toEqual({
    authUrl: 'https://b.test',
    tried: 1,
  });
});
