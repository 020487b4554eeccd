/** Callers that drip, and how long a command of the page takes beside them (INVARIANTS.md T28, G14). */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { pageHeader } from '../../src/kiosk/frame.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { ofThePage } from './kiosk-stage.ts';

/** A caller that sends a header line every half second and never comes to an end. */
export async function drip(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  const timer = setInterval(() => socket.write('X: y\r\n'), 500);
  socket.on('close', () => clearInterval(timer));
  return socket.resume();
}

/** On a connection of its own, as after a pause. Milliseconds; rejects where it is not done. */
export async function commandTime({ port, shown }: KioskStage, cookie: string): Promise<number> {
  const started = performance.now();
  const headers = { ...ofThePage, [pageHeader]: shown.name, cookie };
  const path = '/t/lobby/commands';
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
  asked.end(JSON.stringify({ command: 'still-there', generation: 2 }));
  const [answer] = await once(asked, 'response');
  if (answer.statusCode !== 204) throw new Error(`answered with ${answer.statusCode}`);
  await once(answer.resume(), 'end');
  return performance.now() - started;
}
