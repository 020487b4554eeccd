/** The panels that a person opens over their list: the pages of a document, and the stick that they put in. */
import type { StickView } from '../../domain/terminal/stick-view.ts';
import type { PreviewView } from '../../domain/terminal/terminal-view.ts';

export interface Panels {
  readonly offersPreview: boolean;
  readonly preview: PreviewView | undefined;
  readonly stick: StickView | undefined;
}

export const panelsOf = ({ offersPreview, preview }: Panels) => ({
  ...(offersPreview ? { offersPreview: true as const } : {}),
  ...(preview ? { preview } : {}),
});
