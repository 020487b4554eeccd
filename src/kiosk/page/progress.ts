/** How far the released documents are; where the frame tells nothing of it, that they are under way. */
import type { DocumentProgress } from '../../domain/terminal-view.ts';
import type { Frame } from '../frame.ts';

export const progressOf = ({ progress, documents = [] }: Frame): readonly DocumentProgress[] =>
  progress ??
  documents
    .filter(({ standing }) => standing === 'printing')
    .map(({ uuid, name }) => ({ documentUuid: uuid, name, stage: 'printing' }));
