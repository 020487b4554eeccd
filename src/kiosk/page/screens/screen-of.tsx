/** The screen for each state of the terminal. */
import type { ComponentType, VNode } from 'preact';
import { isLookedOn } from '../../../phrases/headline.ts';
import type { Farewell as Leaving } from '../leave-taking.ts';
import type { Line } from '../words/line.ts';
import type { Preferences } from '../preferences.ts';
import type { KeepTask, ScreenProps } from '../screen.ts';
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
  /** The goodbye for the person who has just left. */
  readonly farewell: Leaving | undefined;
  readonly keepTask: KeepTask;
  /** Counts how often a person has left the idle screen. */
  readonly visit: number;
  readonly prefer: (changed: Partial<Preferences>) => void;
  /** Shows the terminal in this window and in no other. */
  readonly claim: () => void;
}

/** Both states share one screen, so a person who was refused continues to type in the same form. */
const screenNames: Readonly<Record<string, string>> = { signingIn: 'enrolling' };

/** The key makes a new screen for each generation, so that nothing of the earlier one stays. */
export function screenOf({ line, link, farewell, visit, send, keepTask, prefer, claim }: Situation): VNode {
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
    return <Choosing key={key} frame={line} send={send} keepTask={keepTask} picture={picture} />;
  }
  return <Screen key={key} frame={line} send={send} />;
}
