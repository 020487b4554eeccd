/** A stage that is there until its test has ended. */
import { onTestFinished } from 'vitest';
import type { KioskStage } from './kiosk-stage.ts';
import { startKioskStage } from './kiosk-stage.ts';

export async function openKiosk(...options: Parameters<typeof startKioskStage>): Promise<KioskStage> {
  const stage = await startKioskStage(...options);
  onTestFinished(() => stage[Symbol.asyncDispose]());
  return stage;
}
