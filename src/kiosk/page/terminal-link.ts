/**
 * The page's line to its terminal: frames in, commands out. What is shown is dropped as soon as it may be old: when the
 * stream breaks, or is silent for 5 s while a session is open (INVARIANTS.md B.4, 10). A page that another one took over
 * from stays so until somebody asks for it, or no other is left.
 */
import type { Command } from '../commands.ts';
import type { Frame } from '../frame.ts';
import { buildEvent, freeEvent, heartbeatEvent, movedEvent, pageEvent, pageHeader } from '../frame.ts';
import { after, within } from '../../listener/page/clock.ts';

const longestSilence = 5_000;
/** A browser connects again by itself, but not when the answer was an error. */
const untilNextTry = 2_000;

export type Sent = 'done' | 'not-possible' | 'not-sent';

/** A command without its generation, which is that of the frame it answers. */
export type Wish = Command extends infer One
  ? One extends Command
    ? Omit<One, 'generation'>
    : never
  : never;

/** What the terminal shows; `lost`: nobody knows; `moved`: another window is told. */
export type Told = Frame | 'lost' | 'moved';

export interface Listener {
  onTold(told: Told): void;
  /** Which page the agent serves at present. */
  onBuild(build: string): void;
}

export interface TerminalLink {
  /** Takes over from every other window. The answer ends it. */
  watch(listener: Listener): () => void;
  /** In answer to a frame of this generation. */
  send(generation: number, wish: Wish): Promise<Sent>;
  /** Of the page that is looked at in a frame of this generation; `undefined`: it is shown no more, or did not come. */
  picture(generation: number, picture: string): Promise<ImageBitmap | undefined>;
}

/** Of the page's own address, `/t/<id>`; with `?view` it looks on, and says nothing. */
export function createTerminalLink({ pathname, search }: Pick<URL, 'pathname' | 'search'>): TerminalLink {
  const isView = new URLSearchParams(search).has('view');
  /** By which the terminal knows the commands of the page that it shows itself on. */
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

function watchTerminal({ pathname, isView, onName, onTold, onBuild }: WatchOptions): () => void {
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
    onTold('lost');
  };
  const heard = (): void => {
    stopWaiting();
    if (isPrivate) stopWaiting = after(longestSilence, startOver);
  };
  const connect = (): void => {
    stream = new EventSource(`${pathname}/events${isView ? '?view' : ''}`);
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as Frame;
      isPrivate = isOfSomebody(frame);
      heard();
      onTold(frame);
    });
    stream.addEventListener(heartbeatEvent, heard);
    stream.addEventListener(pageEvent, ({ data }: MessageEvent<string>) => onName(data));
    stream.addEventListener(buildEvent, ({ data }: MessageEvent<string>) => onBuild(data));
    stream.addEventListener(movedEvent, () => {
      end();
      onTold('moved');
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

/** The stream is one that is told more than a passer-by, and there is somebody. */
export const isOfSomebody = ({ documents, fullName }: Frame): boolean =>
  documents !== undefined || fullName !== undefined;
