/**
 * The proxy of an office shows its login page before it lets anybody through: what the agent says, and that it goes on by itself
 * when the proxy lets it through, with no document twice and none without its record (INVARIANTS.md I1, I2, I7).
 */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { listenOnLoopback } from '../support/cloud/scripted-server.ts';
import { forwardClock } from '../support/forward-clock.ts';

const page = '<!doctype html><title>Welcome</title><form action="/login"></form>';
const html = `content-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`;

/** What the proxy answers in place of a tunnel, and what the agent says of it. */
const portals = {
  'asks for a password': {
    answer: `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n${html}`,
    says: /the proxy asks for a user name and password \(407\)\. Put them into cloud\.proxyUrl/,
  },
  'leads to its login page': {
    answer: `HTTP/1.1 302 Found\r\nlocation: http://login.test/\r\n${html}`,
    says: /the proxy answered 302 .*a login on a page of its own/,
  },
  'shows its login page': {
    answer: `HTTP/1.1 200 OK\r\n${html}`,
    says: /there is no TLS on this port.*no login page stands in the way/,
  },
} as const;

async function startProxy() {
  const tunnels = new Set<Socket>();
  let answer: string | undefined;
  const server = createServer().on('connect', ({ url = '' }, near: Socket) => {
    near.on('error', () => {});
    if (answer !== undefined) {
      near.end(answer);
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const far = connect(Number(port), hostname, () =>
      near.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    far.on('error', () => {}).on('close', () => near.destroy());
    near.on('close', () => tunnels.delete(near) && far.destroy());
    near.pipe(far).pipe(near);
    tunnels.add(near);
  });
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    letThrough: () => void (answer = undefined),
    /** What has come through is let through no more. */
    answer(text: string) {
      answer = text;
      for (const tunnel of tunnels) tunnel.destroy();
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

it.each(Object.entries(portals))(
  'a proxy that %s is named, and nothing else is wrong when it lets the agent through',
  async (_, { answer, says }) => {
    const clock = forwardClock();
    using proxy = await startProxy();
    proxy.answer(answer);
    await using stage = await setStage({
      clock,
      cloud: { tls: 'own-chain', seed: { ...sampleData, documents: [] } },
      config: { cloud: { caFile: 'ca.pem', proxyUrl: proxy.url } },
      terminal: { session: { autoRelease: true } },
    });
    const { cloud, reader, printer } = stage;
    await writeFile(join(stage.folder, 'ca.pem'), String(cloud.authority));
    cloud.addDocument({ owner: 'alice', name: 'First.pdf', pages: 1 });

    await using agent = await stage.start();
    const away = ({ code }: object & { code?: unknown }) => code === 'cloud-unreachable';
    expect(await clock.hurry(agent.told('condition raised', away))).toMatchObject({
      detail: expect.stringMatching(says),
    });
    await clock.hurry(clock.sleep(minutes(30)));
    expect(cloud.calls).toEqual([]);
    proxy.letThrough();
    expect(await clock.spanOf(agent.told('terminal ready'))).toBeLessThan(minutes(1));
    await agent.told('reader up');

    proxy.answer(answer);
    reader.tap(aliceCard);
    await clock.hurry(agent.told('login failed'));
    expect(await clock.hurry(agent.told('condition raised', away))).toMatchObject({
      detail: expect.stringMatching(says),
    });
    proxy.letThrough();
    await clock.hurry(agent.told('condition cleared', away));
    stage.awaitSameBadge();
    reader.tap(aliceCard);
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await clock.hurry(agent.told('history accepted'));
    expect(printer.outputs).toHaveLength(1);
    expect(cloud.state.history).toHaveLength(1);
  },
);
