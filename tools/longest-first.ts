/**
 * The order of test files: those that take longest begin first, so that none of them runs alone at the end. A new clone
 * knows of no run before, so they stand here, each program's in the order of what they took; all others come after.
 */
import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const longest: readonly string[] = [
  'test/proof/kills/kill.test.ts',
  'test/proof/sessions/sessions.test.ts',
  'test/proof/network/network.test.ts',
  'test/proof/kills/fleet.test.ts',
  'test/sharpness/sharpness.test.ts',
  'test/proof/kills/fleet-kill.test.ts',
  'test/proof/kills/kill-random.test.ts',
  'test/proof/kills/raw-kill.test.ts',
  'test/proof/kills/kill-steps.test.ts',
  'test/peers/packaging/package.test.ts',
  'test/peers/security/root-becomes-the-service.test.ts',
  'test/peers/packaging/arm64.test.ts',
  'test/peers/packaging/container.test.ts',
  'test/peers/fleet/demo-fleet.test.ts',
  'test/peers/fleet/fleet-wills.test.ts',
  'test/peers/fleet/fleet-engine.test.ts',
  'test/peers/fleet/wills-postgres.test.ts',
  'test/peers/packaging/ansible.test.ts',
  'test/browser/screens.test.ts',
  'test/browser/agent-lists.test.ts',
  'test/browser/agent-line.test.ts',
  'test/browser/session.test.ts',
  'test/browser/preview.test.ts',
  'test/flows/cloud-away.test.ts',
  'test/flows/demo-tour.test.ts',
  'test/flows/session-memory.test.ts',
  'test/security/personal-data-in-memory.test.ts',
  'test/flows/guests.test.ts',
  'test/sessions/scenes.test.ts',
  'test/demo-once.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(process.cwd(), moduleId));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
