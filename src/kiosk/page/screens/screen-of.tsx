/** Which screen a state of the terminal has. */
import type { ComponentType, VNode } from 'preact';
import { isLookedOn } from '../../../phrases/headline.ts';
import type { Farewell as Leaving } from '../leave-taking.ts';
import type { Line } from '../words/line.ts';
import type { Preferences } from '../preferences.ts';
import type { Owes, ScreenProps } from '../screen.ts';
import type { TerminalLink } from '../terminal-link.ts';
import { Account } from './account.tsx';
import { Busy } from './busy.tsx';
import { Choosing } from './choosing.tsx';
import { ConnectionLost } from './moved.tsx';
import { Enrolment } from './enrolment.tsx';
import { Farewell } from './farewell.tsx';
import { Idle } from './idle.tsx';
import { Moved } from './moved.tsx';
import { OneMoment } from './one-moment.tsx';
import { OutOfService } from './out-of-service.tsx';
import { Passerby } from './passerby.tsx';
import { Pin } from './pin.tsx';
import { Releasing } from './releasing.tsx';

const screens: Readonly<Record<string, ComponentType<ScreenProps>>> = {
  outOfService: OutOfService,
  stopped: OutOfService,
  askingPin: Pin,
  authenticating: Busy,
  enrolling: Enrolment,
  signingIn: Enrolment,
  registering: Busy,
  listing: Busy,
  releasing: Releasing,
  account: Account,
};

interface Situation extends Pick<ScreenProps, 'send'> {
  readonly line: Line;
  readonly link: Pick<TerminalLink, 'picture'>;
  /** Of whoever has just left. */
  readonly farewell: Leaving | undefined;
  readonly owes: Owes;
  /** Counts those who walked off from the idle screen. */
  readonly visit: number;
  readonly prefer: (changed: Partial<Preferences>) => void;
  /** The screen is to be here, and in no other window. */
  readonly claim: () => void;
}

/** These are one screen: who is refused types on where they were. */
const screenNames: Readonly<Record<string, string>> = { signingIn: 'enrolling' };

/** The key makes a screen of another generation another screen: nothing of the former is left in it. */
export function screenOf({ line, link, farewell, visit, send, owes, prefer, claim }: Situation): VNode {
  if (line === 'connecting' || line === 'leaving') return <OneMoment />;
  if (line === 'lost') return <ConnectionLost />;
  if (line === 'moved') return <Moved onClaim={claim} />;
  const { state, generation, documents, asks, account } = line;
  const key = `${generation} ${screenNames[state] ?? state} ${visit}`;
  if (farewell) return <Farewell key={key} {...farewell} frame={line} />;
  if (state === 'prompting') return <Idle key={key} frame={line} send={send} prefer={prefer} />;
  const isKept =
    isLookedOn(line) ||
    (state === 'account' && account === undefined) ||
    ((state === 'choosing' || state === 'releasing') && documents === undefined);
  const isAsking = state === 'askingPin' || state === 'enrolling';
  const Screen = isKept || (isAsking && asks === undefined) ? Passerby : (screens[state] ?? Passerby);
  if (state === 'choosing' && !isKept) {
    const picture = (name: string) => link.picture(generation, name);
    return <Choosing key={key} frame={line} send={send} owes={owes} picture={picture} />;
  }
  return <Screen key={key} frame={line} send={send} />;
}
