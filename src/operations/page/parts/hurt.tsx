/** Failed prints and refused badges of the last day: in numbers, and hour by hour. */
import type { Hurt as HurtDay, HurtCounts } from '../../../domain/gateway-digest.ts';
import { counted } from '../plain-words.ts';

export function Hurt({ hurt: { hour, day, line } }: { readonly hurt: HurtDay }) {
  return (
    <>
      {hurtText(day)}
      <span class="detail">this hour: {hurtText(hour)}</span>
      <DayLine line={line} />
    </>
  );
}

function hurtText({ failed, unknown, refused }: HurtCounts): string {
  const parts = [
    failed > 0 && `${counted(failed, 'print')} failed`,
    unknown > 0 && `${counted(unknown, 'print')} unknown`,
    refused > 0 && `${counted(refused, 'badge')} refused`,
  ].filter(Boolean);
  return parts.length === 0 ? 'nobody' : parts.join(', ');
}

/** A bar for each hour, the last one on the right. The height is in proportion to the worst hour. */
function DayLine({ line }: { readonly line: readonly number[] }) {
  const worst = Math.max(1, ...line);
  const height = (count: number) => (count === 0 ? 0.5 : Math.max(3, (count / worst) * 16));
  return (
    <svg
      class="day-line"
      preserveAspectRatio="xMinYMid"
      viewBox={`0 0 ${line.length * 4} 16`}
      role="img"
      aria-label={`The last ${line.length} hours: ${line.join(', ')}`}
    >
      {line.map((count, nth) => (
        <rect key={nth} x={nth * 4} y={16 - height(count)} width={3} height={height(count)} />
      ))}
    </svg>
  );
}
