/**
 * The page's connection to its terminal: it gets frames and sends commands. The shown content is dropped as soon as it
 * may be old: when the stream breaks, or when it is silent for 5 s in an open session (INVARIANTS.md B.4, 10). If
 * another page took over, this page stays empty until a person asks for it, or until the other page is gone.
 */
import type { Command } from '../commands.ts';
import type { Frame } from '../frame.ts';
import { buildEvent, freeEvent, heartbeatEvent, movedEvent, pageEvent, pageHeader } from '../frame.ts';
import { after, within } from '../../listener/page/clock.ts';

const longestSilence = 5_000;
/** A browser connects again by itself, but not after an answer with an error. */
const untilNextTry = 2_000;

export type Sent = 'done' | 'not-possible' | 'not-sent';

/** A command without its generation. The generation of the answered frame is added. */
export type Wish = Command extends infer One
  ? One extends Command
    ? Omit<One, 'generation'>
    : never
  : never;

/** The content for the terminal; `lost`: it is not known; `moved`: another window has it. */
export type Content = Frame | 'lost' | 'moved';

export interface Listener {
  onContent(content: Content): void;
  /** The page that the agent serves at present. */
  onBuild(build: string): void;
}

export interface TerminalLink {
  /** Takes over from every other window. Call the result to end it. */
  watch(listener: Listener): () => void;
  /** In answer to a frame of this generation. */
  send(generation: number, wish: Wish): Promise<Sent>;
  /**
   * The picture of a shown page, for a frame of this generation; `undefined`: it is no longer shown, or it did not
   * load.
   */
  picture(generation: number, picture: string): Promise<ImageBitmap | undefined>;
}

/** For the page's own address, `/t/<id>`. With `?view` it only watches and sends no commands. */
export function createTerminalLink({ pathname, search }: Pick<URL, 'pathname' | 'search'>): TerminalLink {
  const isView = new URLSearchParams(search).has('view');
  /** The name that the terminal gave to this page's stream. It belongs to each command. */
  let name = '';
  return {
    watch: (listener) => watchTerminal({ pathname, isView, onName: (given) => (name = given), ...listener }),
    send: async (generation, wish) =>
      isView ? 'not-possible' : sendCommand(pathname, { name, command: { ...wish, generation } }),
    picture: (generation, picture) =>
      fetchPicture(`${pathname}/pictures/${picture}?generation=${generation}`, name),
  };
}

interface WatchOptions extends Listener {
  readonly pathname: string;
  readonly isView: boolean;
  onName(name: string): void;
}

function watchTerminal({ pathname, isView, onName, onContent, onBuild }: WatchOptions): () => void {
  let stream: EventSource;
  let stopWaiting = (): void => {};
  let isPrivate = false;
  const end = (): void => {
    stopWaiting();
    stream.close();
  };
  const lost = (): void => {
    stopWaiting();
    isPrivate = false;
    onContent('lost');
  };
  const heard = (): void => {
    stopWaiting();
    if (isPrivate) stopWaiting = after(longestSilence, startOver);
  };
  const connect = (): void => {
    stream = new EventSource(`${pathname}/events${isView ? '?view' : ''}`);
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as Frame;
      isPrivate = hasPerson(frame);
      heard();
      onContent(frame);
    });
    stream.addEventListener(heartbeatEvent, heard);
    stream.addEventListener(pageEvent, ({ data }: MessageEvent<string>) => onName(data));
    stream.addEventListener(buildEvent, ({ data }: MessageEvent<string>) => onBuild(data));
    stream.addEventListener(movedEvent, () => {
      end();
      onContent('moved');
      stepAside();
    });
    stream.addEventListener('error', () => {
      lost();
      if (stream.readyState === EventSource.CLOSED) stopWaiting = after(untilNextTry, connect);
    });
  };
  const stepAside = (): void => {
    stream = new EventSource(`${pathname}/events?aside`);
    stream.addEventListener(freeEvent, () => {
      stream.close();
      connect();
    });
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) stopWaiting = after(untilNextTry, stepAside);
    });
  };
  const startOver = (): void => {
    lost();
    stream.close();
    connect();
  };
  connect();
  return end;
}

async function fetchPicture(address: string, name: string): Promise<ImageBitmap | undefined> {
  try {
    const answer = await fetch(address, { headers: { [pageHeader]: name }, signal: within(longestSilence) });
    return answer.ok ? await createImageBitmap(await answer.blob()) : undefined;
  } catch {
    return undefined;
  }
}

async function sendCommand(
  pathname: string,
  { name, command }: { readonly name: string; readonly command: object },
): Promise<Sent> {
  try {
    const answer = await fetch(`${pathname}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [pageHeader]: name },
      body: JSON.stringify(command),
      signal: within(longestSilence),
    });
    if (answer.ok) return 'done';
    return answer.status === 409 ? 'not-possible' : 'not-sent';
  } catch {
    return 'not-sent';
  }
}

/** The frame has more than a passer-by may see, and a person is signed in. */
export const hasPerson = ({ documents, fullName }: Frame): boolean =>
  documents !== undefined || fullName !== undefined;
