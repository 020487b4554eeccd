/**
 * How many connections the kiosk has at once, and who gives way when there is one too many (reliability.md T28): the
 * oldest that is not being answered, so that no crowd of dripping callers keeps the page's commands out.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** To be called before the server listens. */
export function limitConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  /** Those that bring out no request, or none since their last answer; the longest so first. */
  const silent = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    silent.delete(socket);
  };

  server.on('connection', (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= most) return;
    // Where all others are being answered, that is the new one.
    for (const oldest of silent) {
      forget(oldest);
      oldest.destroy();
      return;
    }
  });
  server.on('request', ({ socket }, response) => {
    silent.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) silent.add(socket);
    });
  });
}
