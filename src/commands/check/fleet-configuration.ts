/**
 * `platen check` for the configuration of the fleet: the signers that this gateway accepts, and the version that it
 * keeps.
 */
import type { Config } from '../../config/schema/config.ts';
import { readKept } from '../../config/pushed/kept.ts';
import { manifestIn } from '../../config/pushed/manifest.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Step } from './examination.ts';

export function examineFleetConfiguration({ fleet, stateDir }: Config): readonly Step[] {
  if (!fleet) return [];
  const { signers } = fleet;
  return [
    {
      what: 'fleet configuration',
      kind: 'fleet',
      needs: ['state directory'],
      async examine() {
        if (signers.length === 0) {
          const detail =
            'fleet.signers is empty, so this gateway uses only its own file, and a roll-out halts at it';
          return { state: 'ok', detail, facts: { version: null, signers: [] } };
        }
        const version = versionKept(stateDir, signers);
        const kept =
          version === null ? 'no version yet, so this gateway uses only its own file' : `version ${version}`;
        const named = signers.map(({ file, fingerprint }) => `${fingerprint} (${file})`).join(', ');
        return {
          state: 'ok',
          detail: `${kept}; it accepts signatures of ${named}`,
          facts: { version, signers: signers.map(({ fingerprint }) => fingerprint) },
        };
      },
    },
  ];
}

/** Throws if no accepted signer has signed it. The agent then starts with its own file alone. */
function versionKept(stateDir: string, signers: NonNullable<Config['fleet']>['signers']): number | null {
  try {
    const { accepted } = readKept(stateDir);
    return accepted && manifestIn(accepted.manifest, signers).version;
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Problem(
      'fleet-config-refused',
      `the agent does not use the stored version at its start: ${why}`,
      { cause },
    );
  }
}
