/**
 * What may be done with the paper of one document: a group of choices for each kind that its printer offers. The first
 * choice of each leaves it to the printer.
 */
import type { WorkKind } from '../../../domain/printer/paper-work.ts';
import { workKinds } from '../../../domain/printer/paper-work.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { DocumentSettings } from '../document-settings.ts';
import { useWords } from '../languages/words.ts';
import { kindWords, placeOf, workWord } from '../words/paper-words.ts';

interface PaperWorkProps {
  readonly document: DocumentView;
  readonly onChange: (changed: Pick<DocumentSettings, 'work'>) => void;
}

export function PaperWork({ document: { work = {}, options }, onChange }: PaperWorkProps) {
  const offered = workKinds.filter((kind) => options?.work?.[kind] !== undefined || work[kind] !== undefined);
  return offered.map((kind) => (
    <WorkChoice
      key={kind}
      kind={kind}
      values={options?.work?.[kind] ?? []}
      chosen={work[kind]}
      onChoose={(value) => {
        const { [kind]: _before, ...others } = work;
        onChange({ work: value === undefined ? others : { ...others, [kind]: value } });
      }}
    />
  ));
}

interface WorkChoiceProps {
  readonly kind: WorkKind;
  readonly values: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

function WorkChoice({ kind, values, chosen, onChoose }: WorkChoiceProps) {
  const words = useWords();
  const { say } = words;
  // What was chosen stays in sight, also where the printer no longer offers it.
  const all = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <fieldset class="work">
      <legend>{say(kindWords[kind])}</legend>
      {[undefined, ...all].map((value) => (
        <label key={value ?? ''}>
          <input type="radio" name={kind} checked={value === chosen} onChange={() => onChoose(value)} />
          {value !== undefined && <SheetPicture value={value} />}
          <span>{value === undefined ? say('asUsual') : workWord(kind, value, words)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A small page with its staples or holes where they will be. */
function SheetPicture({ value }: { readonly value: string }) {
  const place = placeOf(value);
  if (!place) return null;
  const isHole = value.startsWith('punch');
  return (
    <svg class="sheet" viewBox="0 0 24 32" aria-hidden="true">
      <path d="M2 2h20v28H2z" />
      {marksAt(place).map(([x, y]) =>
        isHole ? (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="1.6" />
        ) : (
          <path key={`${x} ${y}`} class="mark" d={markPath(place.at, x, y)} />
        ),
      )}
    </svg>
  );
}

type Place = NonNullable<ReturnType<typeof placeOf>>;

const corners = {
  topLeft: [6, 6],
  topRight: [18, 6],
  bottomLeft: [6, 26],
  bottomRight: [18, 26],
} as const;

function marksAt({ at, times }: Place): readonly (readonly [number, number])[] {
  if (at in corners) return [corners[at as keyof typeof corners]];
  const along = (length: number) =>
    Array.from({ length: times }, (_, index) => Math.round((length * (index + 1)) / (times + 1)));
  if (at === 'leftEdge' || at === 'rightEdge') return along(32).map((y) => [at === 'leftEdge' ? 5 : 19, y]);
  return along(24).map((x) => [x, at === 'topEdge' ? 5 : 27]);
}

/** Staples lie along an edge, and slantwise in a corner. */
function markPath(at: Place['at'], x: number, y: number): string {
  if (at === 'leftEdge' || at === 'rightEdge') return `M${x} ${y - 2}v4`;
  if (at === 'topEdge' || at === 'bottomEdge') return `M${x - 2} ${y}h4`;
  return at === 'topLeft' || at === 'bottomRight' ? `M${x - 2} ${y + 2}l4-4` : `M${x - 2} ${y - 2}l4 4`;
}
