/** Which screen a state of the terminal has. */
import type { ComponentType, VNode } from 'preact';
import type { Frame } from '../../frame.ts';
import type { Preferences } from '../preferences.ts';
import type { ScreenProps } from '../screen.ts';
import { Busy } from './busy.tsx';
import { Choosing } from './choosing.tsx';
import { ConnectionLost } from './connection-lost.tsx';
import { Enrolment } from './enrolment.tsx';
import { Farewell } from './farewell.tsx';
import { Idle } from './idle.tsx';
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
  signingIn: Busy,
  registering: Busy,
  listing: Busy,
  choosing: Choosing,
  releasing: Releasing,
};

interface Situation extends Pick<ScreenProps, 'send'> {
  readonly line: Frame | 'connecting' | 'lost' | 'farewell';
  readonly prefer: (changed: Partial<Preferences>) => void;
}

/** The key makes a screen of another generation another screen: nothing of the former is left in it. */
export function screenOf({ line, send, prefer }: Situation): VNode {
  if (line === 'connecting') return <ConnectionLost isFirst />;
  if (line === 'lost') return <ConnectionLost />;
  if (line === 'farewell') return <Farewell />;
  const { state, generation, documents } = line;
  const key = `${generation} ${state}`;
  if (state === 'prompting') return <Idle key={key} frame={line} send={send} prefer={prefer} />;
  const isKept = (state === 'choosing' || state === 'releasing') && documents === undefined;
  const Screen = isKept ? Passerby : (screens[state] ?? Passerby);
  return <Screen key={key} frame={line} send={send} />;
}
