/** Messages between members by LISTEN and NOTIFY. Each new line listens to the channels again. */
import type { Line } from './line.ts';

export interface Notices {
  /** LISTEN for all channels, as one script; empty if there are none. */
  script(): string;
  attach(line: Line): void;
  /** `isNew` is true if the channel was not listened to before. */
  add(channel: string, listener: (payload: string) => void): { readonly isNew: boolean } & Disposable;
}

/** Channels are our own words: an identifier, in quotes. */
export const listenTo = (channel: string): string => `LISTEN "${channel.replaceAll('"', '""')}";`;

export function createNotices(): Notices {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  return {
    script: () => [...listeners.keys()].map(listenTo).join('\n'),
    attach: (line) =>
      line.onNotice((channel, payload) => {
        for (const listener of listeners.get(channel) ?? []) listener(payload);
      }),
    add(channel, listener) {
      const isNew = !listeners.has(channel);
      const heard = listeners.get(channel) ?? new Set();
      listeners.set(channel, heard);
      heard.add(listener);
      return { isNew, [Symbol.dispose]: () => void heard.delete(listener) };
    },
  };
}
