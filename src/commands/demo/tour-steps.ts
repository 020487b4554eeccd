/**
 * The story of the tour: a wrong PIN, a new card, a jam, an outage, a second person. Each step has a text, an action,
 * and a sign that proves it.
 */
import { createHash } from 'node:crypto';
import { systemClock } from '../../core/clock.ts';
import { milliseconds, minutes } from '../../core/duration.ts';
import { stillThereFor } from '../../readers/intake/debounce.ts';
import type { PasserBy, Sight } from '../../simulator/passer-by.ts';
import type { VirtualReader } from '../../simulator/reader/reader.ts';
import type { DemoStage } from './stage.ts';

export interface TourStep {
  readonly says: string;
  /**
   * Resolves when the sign was seen. It is called before the action. If the sign does not come, it rejects or never
   * settles.
   */
  seen(): Promise<unknown>;
  happens(limit: AbortSignal): unknown;
}

interface Scene {
  readonly stage: DemoStage;
  /** People type their words at the terminal here. */
  readonly keyboard: VirtualReader;
  readonly passerBy: PasserBy;
}

/** Each step must be seen within this time. The agent asks an absent service again every 14 to 15 s. */
export const stepLimit = minutes(1);
const patient = { timeout: stepLimit };

export const pins: Readonly<Record<string, string>> = { alice: '2580' };

const cards = { alice: '04A1B2C3D4', bob: '04B5C6D7E8', new: '04D0D1D2D3' };

export function tourSteps({ stage, keyboard, passerBy }: Scene): readonly TourStep[] {
  const { cloud, printer, reader, narrator } = stage;
  const logged = narrator.next;
  const shown = (fits: (sight: Sight) => boolean) =>
    passerBy.waitFor(() => {
      const sight = passerBy.sight();
      return sight !== undefined && fits(sight);
    }, patient);
  const waitsForCards = ({ state, notice }: Sight) => state === 'prompting' && notice === undefined;
  const holds = async (card: string, limit: AbortSignal): Promise<void> => {
    // If the card comes again sooner, the terminal thinks that it was never taken away.
    await systemClock.sleep(milliseconds(stillThereFor + 100), { signal: limit });
    reader.tap(card);
  };
  const isPrintedOnce = (owner: string): boolean =>
    cloud.state.documents
      .filter((one) => one.owner === owner)
      .map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))
      .every((digest) => printer.outputs.filter((one) => one.complete && one.sha256 === digest).length === 1);
  const prints = async (owner: string): Promise<void> => {
    await printer.waitFor(() => isPrintedOnce(owner), patient);
    await logged('history accepted');
  };
  const signsOut = (says: string): TourStep => ({
    says,
    happens: () => keyboard.write('l'),
    async seen() {
      await logged('session closed', ({ reason }) => reason === 'logout');
      await shown(({ state }) => state === 'prompting');
    },
  });
  const opens = async (): Promise<void> => {
    await logged('session opened');
    await shown(({ state }) => state === 'choosing');
  };

  return [
    {
      says: 'Alice Archer holds her card to the reader, and the screen asks for her PIN.',
      happens: (limit) => holds(cards.alice, limit),
      seen: () => shown(({ asks }) => asks === 'pin'),
    },
    {
      says: 'She types a wrong PIN; the screen tells her and asks again.',
      happens: () => keyboard.write('1111\r'),
      // Only her own screen shows this.
      async seen() {
        await logged('login failed');
        await shown(({ asks }) => asks === 'pin');
      },
    },
    {
      says: 'She types the right PIN, and the screen shows her documents.',
      happens: () => keyboard.write(`${pins['alice']}\r`),
      seen: opens,
    },
    signsOut('She signs out.'),
    {
      says: 'An administrator turns PINs off, and lets people register new cards.',
      async happens() {
        cloud.state.users = cloud.state.users.map(({ pin: _, ...user }) => user);
        await stage.changeTerminal({ login: { cardPin: 'off', enrollment: true } });
      },
      async seen() {
        await logged('config reloaded');
        await shown(waitsForCards);
      },
    },
    {
      says: 'Carol Cooper holds a new card to the reader, and the screen asks whose card it is.',
      happens: (limit) => holds(cards.new, limit),
      seen: () => shown(({ asks }) => asks === 'enrollment'),
    },
    {
      says: 'She signs in with her name and password, and from now on the card is hers.',
      happens: () => keyboard.write('carol\rcarol-secret\r'),
      async seen() {
        await logged('card registered');
        await shown(({ state }) => state === 'choosing');
        await cloud.waitFor(() => cloud.state.users.some((one) => one.cards.includes(cards.new)), patient);
      },
    },
    signsOut('She signs out.'),
    {
      says: 'Alice holds her card to the reader and prints; the paper jams, and the screen says so.',
      async happens(limit) {
        await printer.behave({ kind: 'jam', afterPages: 1 });
        const opened = opens();
        await holds(cards.alice, limit);
        await opened;
        keyboard.write('a\r');
      },
      seen: () => shown((sight) => sight.printer?.needs === 'jam'),
    },
    {
      says: 'Somebody clears the jam, and the rest of her pages comes out.',
      happens: () => printer.clear(),
      async seen() {
        await prints('alice');
        await shown((sight) => sight.printer?.needs === undefined);
      },
    },
    signsOut('She takes her paper and signs out.'),
    {
      says: 'The print service goes away; Bob Baker holds his card to the reader, and the screen tells him.',
      async happens(limit) {
        await cloud.goAway();
        await holds(cards.bob, limit);
      },
      async seen() {
        await logged('login failed');
        await shown(({ notice }) => notice?.code === 'cloud-unreachable');
      },
    },
    {
      says: 'The print service is back, and the screen asks for cards again.',
      happens: () => cloud.comeBack(),
      seen: () => shown(waitsForCards),
    },
    {
      says: 'Bob holds his card to the reader again, and the screen shows his document.',
      happens: (limit) => holds(cards.bob, limit),
      seen: opens,
    },
    {
      says: 'A second person comes: Alice holds her card to the reader; his list is gone, and the screen shows hers.',
      async happens(limit) {
        cloud.addDocument({ owner: 'alice', name: 'Boarding pass.pdf', pages: 1 });
        await holds(cards.alice, limit);
      },
      async seen() {
        await logged('session closed', ({ reason }) => reason === 'badge');
        await opens();
      },
    },
    {
      says: 'She holds her card to the reader once more: her new document is printed, and the screen waits for the next person.',
      happens: (limit) => holds(cards.alice, limit),
      async seen() {
        await prints('alice');
        await shown(waitsForCards);
      },
    },
  ];
}
