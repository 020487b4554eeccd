/** What every `Gateways` must do: that of a gateway alone, and that of a member of a fleet (F17). */
import { expect, it } from 'vitest';
import type { GatewayDigest } from '../../src/domain/gateway-digest.ts';
import type { Gateways } from '../../src/domain/ports/gateways.ts';

export interface GatewaysUnderTest extends AsyncDisposable {
  readonly gateways: Gateways;
  /** Of the gateway that looks. */
  readonly own: GatewayDigest;
}

const patient = () => new AbortController().signal;

export function gatewaysContract(open: () => Promise<GatewaysUnderTest>): void {
  it('F17: this gateway is among them, once, with what it tells of itself', async () => {
    await using scene = await open();
    const seen = await scene.gateways.seen(patient());
    const selves = seen.filter(({ isSelf }) => isSelf);
    expect(selves).toMatchObject([{ digest: scene.own, hasTold: true, isBeating: true }]);
    expect(selves[0]?.ageSeconds).toBeGreaterThanOrEqual(0);
    expect(selves[0]?.ageSeconds).toBeLessThan(10);
    expect(selves[0]?.lastBeatSeconds).toBeLessThan(10);
  });

  it('who has lost interest waits no longer', async () => {
    await using scene = await open();
    const reason = new Error('enough');
    await expect(scene.gateways.seen(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}
