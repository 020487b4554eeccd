/** What an administrator tells the gateway from its page: prints that came out, or did not, and a condition taken on. */
import { expect, it } from 'vitest';
import { unsettledPrints } from '../operations/sample-unsettled.ts';
import { sampleFleet } from '../support/operations/sample-digests.ts';
import { needsPeer } from '../support/needs.ts';
import { useOperationsPages } from './operations-stage.ts';
import { executablePath } from './stage.ts';

const token = 'a-token-of-the-administrators';

needsPeer(executablePath, 'chromium')('an administrator', () => {
  const open = useOperationsPages();
  const signedIn = async (at: string) => {
    const stage = await open({ token, unsettled: unsettledPrints, gateways: sampleFleet(1), at });
    await stage.page.getByLabel('The token of this gateway').fill(token);
    await stage.page.getByRole('button', { name: 'Show' }).click();
    return stage;
  };

  it('says of all prints of one printer that they did not come out, once the name is known', async () => {
    const { page, heard } = await signedIn('#/unsettled');
    const printer = page.locator('section').filter({ hasText: 'ipp://10.0.0.7/ipp/print' });
    await printer.getByLabel('All of ipp://10.0.0.7/ipp/print').check();
    await printer.getByRole('button', { name: '2 prints did not come out' }).click();
    await printer.getByText('Type your name').waitFor();
    expect(heard).toEqual([]);
    await printer.getByLabel('Your name').fill('Anna');
    await printer.getByRole('button', { name: '2 prints did not come out' }).click();
    await page.getByText('2 prints: did not come out.').waitFor();
    const releaseIds = unsettledPrints.slice(0, 2).map(({ releaseId }) => releaseId);
    expect(heard).toEqual([{ releaseIds, word: 'did-not-come-out', sayer: { name: 'Anna' } }]);
    await printer.waitFor({ state: 'detached' });
    expect(await page.locator('section').count()).toBe(1);
  });

  it('cannot tell by one press: a print is chosen first', async () => {
    const { page } = await signedIn('#/unsettled');
    const buttons = page.getByRole('button', { name: /came out|did not come out/ });
    await buttons.first().waitFor();
    expect(await buttons.evaluateAll((all) => all.map((one) => (one as HTMLButtonElement).disabled))).toEqual(
      Array(4).fill(true),
    );
  });

  it('takes a condition on, with a note that the others read', async () => {
    const { page, heard, told } = await signedIn('#/');
    const [condition] = told.status.conditions;
    const item = page.locator('.condition').first();
    await item.getByText('Take this on').first().click();
    await item.getByLabel('Your name').fill('Anna');
    await item.getByLabel('Note for the others').fill('The technician comes at three');
    await item.getByRole('button', { name: 'Take this on' }).click();
    await item.getByText('has taken this on').waitFor();
    expect(await item.locator('.taken-on').textContent()).toContain('The technician comes at three');
    expect(heard).toEqual([
      {
        scope: condition?.scope,
        subject: condition?.subject,
        note: 'The technician comes at three',
        sayer: { name: 'Anna' },
      },
    ]);
  });

  it('is offered none of it by a gateway without a token, and reads what to do', async () => {
    const { page } = await open({ unsettled: unsettledPrints, at: '#/unsettled' });
    await page.getByText('platen releases settle CODE --came-out').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
