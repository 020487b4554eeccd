/** The time of a release by its stages: a row for each stage, with a bar at its place in the whole. */
import type { ReleaseAnswer } from '../../ui/answers.ts';
import { tookText } from '../plain-words.ts';
import { stageWords } from '../../../domain/release-trace.ts';

export function StageBars({ stages }: { readonly stages: ReleaseAnswer['stages'] }) {
  const whole = Math.max(1, ...stages.map(({ at, took }) => at + took));
  const share = (span: number): number => (span / whole) * 100;
  return (
    <table class="stages">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">After</th>
          <th scope="col">Took</th>
          <th scope="col" aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stage, at, took }, nth) => (
          <tr key={nth}>
            <th scope="row">{stageWords[stage]}</th>
            <td>{tookText(at)}</td>
            <td>{tookText(took)}</td>
            <td aria-hidden="true">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none">
                <rect x={Math.min(99, share(at))} width={Math.max(1, share(took))} height="4" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
