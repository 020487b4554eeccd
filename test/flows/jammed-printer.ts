/**
 * The stage of the person who comes while the print of the one before hangs: a printer that has stopped in the middle,
 * and two badges. `npm run bench` measures on it too.
 */
import type { Running, Stage } from '../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

export interface JammedPrinter extends AsyncDisposable {
  readonly stage: Stage;
  readonly agent: Running;
  /** Alice's, whose print hangs. */
  readonly sessionId: unknown;
  /** Bob holds his badge to the reader; milliseconds from there to his session. */
  bobTaps(): Promise<number>;
}

/** Resolves when the agent may know that the printer stands. */
export async function jamPrinter(): Promise<JammedPrinter> {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await setStage({ terminal: { session: { autoRelease: true } } }));
  const { printer, reader } = stage;
  const agent = opened.use(await stage.start());
  await agent.told('terminal ready');
  await agent.told('reader up');
  await printer.behave({ kind: 'jam', afterPages: 0 });
  reader.tap(aliceCard);
  const { sessionId } = await agent.told('session opened');
  await printer.waitFor(() => printer.jobs.some(({ state }) => state === 'processing-stopped'));
  const looks = () => printer.requests.filter(({ operation }) => operation === 'Get-Job-Attributes').length;
  const before = looks();
  await printer.waitFor(() => looks() > before + 1);
  stage.awaitAnotherBadge();

  const held = opened.move();
  return {
    ...{ stage, agent, sessionId },
    async bobTaps() {
      const since = performance.now();
      reader.tap(bobCard);
      await agent.told('session opened');
      return performance.now() - since;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
