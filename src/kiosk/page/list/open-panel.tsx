/** The panel over the list for one document: its settings, or its pages. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import type { DocumentSettings } from '../document-settings.ts';
import { PreviewPanel } from '../preview/preview-panel.tsx';
import type { Picture, ScreenProps } from '../screen.ts';
import type { Sent } from '../terminal-link.ts';
import { DocumentOptions } from './document-options.tsx';

export type Heading = RefObject<HTMLHeadingElement | null>;
type Panel = 'options' | 'preview';

/**
 * The document of the open panel. If the document disappears, the panel closes, and the focus goes to the heading
 * because it was in the panel.
 */
export function useOpenPanel(documents: readonly DocumentView[], heading: Heading) {
  const [of, setOf] = useState<{ readonly panel: Panel; readonly uuid: string }>();
  const opened = documents.find(
    ({ uuid, options }) => uuid === of?.uuid && (of.panel === 'preview' || options !== undefined),
  );
  useEffect(() => {
    if (of === undefined || opened) return;
    setOf(undefined);
    heading.current?.focus({ preventScroll: true });
  }, [opened === undefined]);
  const [open] = useState(() => ({
    options: (uuid: string) => setOf({ panel: 'options', uuid }),
    preview: (uuid: string) => setOf({ panel: 'preview', uuid }),
  }));
  return {
    open,
    opened: opened && of && { document: opened, panel: of.panel },
    close: () => setOf(undefined),
  };
}

interface OpenPanelProps extends ScreenProps, Pick<ReturnType<typeof useOpenPanel>, 'close'> {
  readonly opened: { readonly document: DocumentView; readonly panel: Panel };
  readonly change: (uuid: string, settings: DocumentSettings) => Promise<Sent | undefined>;
  readonly settled: () => Promise<unknown>;
  readonly picture: Picture;
  readonly wish: (documents: readonly DocumentView[]) => void;
}

export function OpenPanel({
  opened: { document, panel },
  frame,
  send,
  change,
  settled,
  picture,
  wish,
  close,
}: OpenPanelProps) {
  const { uuid, options, fits } = document;
  const onPrint = frame.notHere || fits === false ? undefined : () => wish([document]);
  if (panel === 'preview') {
    return (
      <PreviewPanel
        key={uuid}
        {...{ document, send, picture, onPrint }}
        preview={frame.preview}
        onClose={close}
      />
    );
  }
  return (
    options && (
      <DocumentOptions
        key={uuid}
        document={document}
        allowed={options}
        change={(settings) => change(uuid, settings)}
        defaults={frame.defaults}
        onPrint={onPrint}
        keep={(wanted) => void settled().then(() => send({ command: 'keep-defaults', ...wanted }))}
        onClose={close}
      />
    )
  );
}

/** Only if pages of documents can be shown. */
export const onPreview = ({ offersPreview }: Frame, open: (uuid: string) => void) =>
  offersPreview ? { onPreview: open } : {};
