import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { knownVulnerabilities, shippedPackages } from '../../tools/supply.ts';

const packument = (name: string) => ({
  name,
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name, version: '1.0.0', dist: { tarball: 'http://127.0.0.1:9/', shasum: '' } } },
});

/**
 * As npm's registry tells them: POST of names with versions, gzipped (npm-audit(1), "Bulk Advisory Endpoint"); of a name
 * that has an advisory npm then reads which versions there are.
 */
async function startRegistry(advisories: object) {
  const asked: Record<string, string[]>[] = [];
  const answerTo = async (request: IncomingMessage): Promise<object> => {
    if (request.url !== '/-/npm/v1/security/advisories/bulk') return packument(request.url?.slice(1) ?? '');
    asked.push((await json(request.pipe(createGunzip()))) as Record<string, string[]>);
    return advisories;
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    answerTo(request).then(
      (answer) => void response.end(JSON.stringify(answer)),
      () => void response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    option: `--registry=http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('T30: what is shipped of others', () => {
  it('is asked for by name and version, Node and the page included; a known vulnerability is a sentence', async () => {
    using registry = await startRegistry({
      undici: [
        {
          id: 1,
          url: 'https://github.com/advisories/GHSA-0000-0000-0000',
          title: 'undici tells everything to everybody',
          severity: 'high',
          vulnerable_versions: '<99.0.0',
          cwe: [],
          cvss: { score: 7.5, vectorString: null },
        },
      ],
    });
    expect(await knownVulnerabilities([registry.option])).toEqual([
      'undici: high: undici tells everything to everybody (https://github.com/advisories/GHSA-0000-0000-0000)',
    ]);
    const [asked = {}] = registry.asked;
    expect(asked).toMatchObject({ undici: [manifest.dependencies.undici], preact: [expect.any(String)] });
    expect(Object.keys(asked).filter((name) => name.startsWith('node-linux-'))).not.toEqual([]);
  });

  it('of which none is vulnerable gives no sentence', async () => {
    using registry = await startRegistry({});
    expect(await knownVulnerabilities([registry.option])).toEqual([]);
  });

  it('is not said to be well where nobody could be asked', async () => {
    await expect(
      knownVulnerabilities(['--registry=http://127.0.0.1:9', '--fetch-retries=0']),
    ).rejects.toThrow('ECONNREFUSED');
  });

  it('is what a package of one architecture holds', () => {
    const natives = shippedPackages().filter((name) => name.startsWith('@koromix/'));
    expect(natives).toEqual([`@koromix/koffi-linux-x64@${manifest.optionalDependencies.koffi}`]);
  });
});
