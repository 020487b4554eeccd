/**
 * `platen demo [--once | --tour | --fleet]`: everything embedded. It takes badges typed on the keyboard; with `--once` it
 * walks one whole release and looks whether all of it is right; with `--tour` it shows what else can happen at a terminal, and
 * with `--fleet` what one gateway does when another one is killed.
 */
import { aborted } from '../../core/service.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { onTypedLine } from '../terminal-text/typed-lines.ts';
import { showFleet } from './fleet.ts';
import { walkOnce } from './once.ts';
import type { DemoStage } from './stage.ts';
import { setDemoStage } from './stage.ts';
import { showTour } from './tour.ts';

export interface DemoWishes {
  readonly once?: boolean;
  readonly tour?: boolean;
  readonly fleet?: boolean;
  /** With `tour`: seconds to look at each step. */
  readonly pace: number;
  readonly listen?: string;
}

const usualPage = '127.0.0.1:7380';

export async function demoCommand({ once, tour, fleet, pace, listen }: DemoWishes, io: Io): Promise<number> {
  if (tour) return showTour({ listen: listen ?? usualPage, pace }, io);
  if (fleet) return showFleet(io);
  if (once) {
    // A walk nobody looks at must not be in the way of a daemon on the usual port.
    const stage = { listen: listen ?? '127.0.0.1:0', terminal: { session: { autoRelease: true } } };
    await using demo = await setDemoStage(stage, io);
    return await Promise.race([walkOnce(demo, io), demo.running.then(() => exitCode.failed)]);
  }
  const terminal = { session: { autoRelease: false } };
  await using demo = await setDemoStage({ listen: listen ?? usualPage, terminal }, io);
  await Promise.race([stayUp(demo, io), demo.running]);
  return exitCode.ok;
}

async function stayUp(stage: DemoStage, io: Io): Promise<void> {
  const { cloud, reader, narrator, say, configFile } = stage;
  await Promise.race([narrator.told('terminal ready'), aborted(io.stop)]);
  for (const { fullName, cards } of cloud.state.users) say(`The card of ${fullName}: ${cards.join(', ')}`);
  say(`The configuration: ${configFile}`);
  const { address, file } = await stage.launchAddress();
  say(`The page for choosing documents: ${address}`);
  say(`This address works once. The secret of the next address is in ${file}`);
  say(
    'Type a card number and press Enter to hold that card to the reader. Do it again to print. Press Ctrl-C to end.',
  );
  onTypedLine((line) => reader.tap(line), io.stop);
  await aborted(io.stop);
}
