/** Every screen is fit for everyone (WCAG 2.2 AA by axe-core) and whole on the panel. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { perCommit, wrongIn } from './fit.ts';
import { scenes } from './scenes.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('fit for everyone and whole', () => {
  const open = useStages();

  it.each(scenes)('is $name', async (scene) => {
    const stage = await open(scene.begins);
    for (const language of perCommit.languages) {
      if (scene.languages?.includes(language.code) === false) continue;
      expect(await wrongIn(scene, stage, { ...perCommit, language })).toEqual([]);
    }
    expect([...stage.faults, ...stage.terminal.strayRequests]).toEqual([]);
  });
});
