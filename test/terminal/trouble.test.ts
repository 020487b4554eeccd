/** Trouble is told once: one cause, one remedy, and what may be tried again. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { DocumentProgress, PrinterView } from '../../src/domain/terminal/terminal-view.ts';
import { nobody } from '../../src/terminal/context.ts';
import { troubleOf, troubleSentence } from '../../src/terminal/trouble.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const failed = (uuid: string, why: Partial<DocumentProgress>): DocumentProgress => ({
  documentUuid: uuid,
  name: `${uuid}.pdf`,
  stage: 'failed',
  ...why,
});

const after = (progress: readonly DocumentProgress[], listed = progress) => ({
  progress,
  documents: { ...nobody.documents, releasable: listed.map((one) => documentNamed(one.documentUuid)) },
});

const jammed: PrinterView = { lamp: 'needs-attention', needs: 'jam' };
const ready: PrinterView = { lamp: 'ready' };

describe('what stands in the way', () => {
  const batch = [
    failed('one', { code: 'printer-not-ready', needs: 'paper' }),
    failed('two', { code: 'printer-not-ready', needs: 'paper' }),
    failed('three', { code: 'document-not-printable' }),
  ];

  it.each<[string, PrinterView | undefined, object]>([
    ['what the printer needs now', jammed, { code: 'printer-not-ready', needs: 'jam' }],
    ['that it is away', { lamp: 'unreachable' }, { code: 'printer-unreachable' }],
    ['what it needed, where it says nothing', undefined, { code: 'printer-not-ready', needs: 'paper' }],
    ['that nothing is in the way any more', ready, { code: 'release-abandoned' }],
  ])('after a batch is %s, with those that may be tried again', (_what, printer, cause) => {
    expect(troubleOf('choosing', after(batch), printer)).toEqual({ ...cause, documentUuids: ['one', 'two'] });
  });

  it('is what the printer needs while it prints', () => {
    expect(troubleOf('releasing', after([]), jammed)).toMatchObject({
      code: 'printer-not-ready',
      needs: 'jam',
    });
    expect(troubleOf('releasing', after([]), ready)).toBeUndefined();
  });

  it('is of a document what its row says, where another try cannot help', () => {
    const hopeless = [failed('three', { code: 'document-not-printable' })];
    expect(troubleOf('choosing', after(hopeless), ready)).toBeUndefined();
    expect(troubleOf('choosing', after(batch, []), jammed)).toBeUndefined();
    expect(troubleOf('choosing', after([failed('one', { code: 'document-cut' })]), ready)).toEqual({
      code: 'document-cut',
      documentUuids: ['one'],
    });
  });

  it('is said with its remedy', () => {
    const said = (printer: PrinterView | undefined) => {
      const trouble = troubleOf('choosing', after(batch), printer);
      return trouble && troubleSentence(trouble, printer);
    };
    expect(said(jammed)).toBe(
      'Paper is jammed in the printer. Please take it out carefully, or tell somebody.',
    );
    expect(said({ lamp: 'unreachable' })).toBe('The printer cannot be reached. Is it switched on?');
    expect(said(undefined)).toBe('The printer is out of paper. Please add paper, or tell somebody.');
  });
});

it('a trouble that was met is not told over the next print', async () => {
  const { terminal, tap, ends, turn, generation } = terminalStage({ canBeAsked: true });
  const view = () => terminal.view.current();
  await tap(alice);
  terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
  const reasons = ['media-empty-error'];
  ends.get('one')?.(new Problem('printer-not-ready', 'stopped', { reasons }));
  await turn();
  expect(view()).toMatchObject({
    notice: { code: 'printer-not-ready', needs: 'paper', sentence: 'The printer is out of paper.' },
    trouble: { code: 'printer-not-ready', needs: 'paper', documentUuids: ['one'] },
    progress: [{ stage: 'failed', needs: 'paper' }],
  });
  terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
  expect([view().state, view().notice, view().trouble]).toEqual(['releasing', undefined, undefined]);
});
