/** A stick is in. Its content is shown only after a touch here. */
import { Icon } from '../parts/icon.tsx';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';
import { StickPanel } from './stick-panel.tsx';

export function StickLine({ frame: { stick }, send }: ScreenProps) {
  const { say } = useWords();
  if (!stick) return null;
  const { stage } = stick;
  if (stage === 'several') return <p class="stick-line">{say('stickSeveral')}</p>;
  return (
    <p class="stick-line">
      <button type="button" onClick={() => void send({ command: 'open-stick' })}>
        <Icon name="stick" />
        {say('stickFiles')}
      </button>
      {stage !== 'in' && <StickPanel stick={stick} send={send} />}
    </p>
  );
}
