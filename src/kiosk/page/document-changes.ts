/**
 * Changed settings of documents on their way to the terminal. The page shows the wish until the terminal confirms or
 * refuses it. Changes are sent one after the other, and only the last wish for each document is sent.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DocumentView } from '../../domain/terminal/terminal-view.ts';
import { after } from '../../listener/page/clock.ts';
import type { DocumentSettings, WantedSettings } from './document-settings.ts';
import { asWanted, isSetSo } from './document-settings.ts';
import type { ScreenProps } from './screen.ts';
import type { Sent } from './terminal-link.ts';

/** Usually a frame confirms it sooner. After this time the page shows the terminal's own value. Milliseconds. */
const untilSaid = 2_000;

export interface DocumentChanges {
  /** With the wishes of the person. */
  readonly documents: readonly DocumentView[];
  /** `undefined`: the change was sent together with another one, and that answer counts for both. */
  change(documentUuid: string, settings: DocumentSettings): Promise<Sent | undefined>;
  /** Whether the terminal has accepted everything that was on its way. */
  settled(): Promise<boolean>;
}

export function useDocumentChanges(
  documents: readonly DocumentView[],
  send: ScreenProps['send'],
): DocumentChanges {
  const [wanted, setWanted] = useState<WantedSettings>(new Map());
  const unsent = useRef(new Map<string, DocumentSettings>()).current;
  const underWay = useRef<Promise<boolean>>(undefined);

  const forget = (uuid: string, settings: DocumentSettings): void =>
    setWanted((known) =>
      known.get(uuid) === settings ? new Map([...known].filter(([one]) => one !== uuid)) : known,
    );

  async function tell(documentUuid: string): Promise<Sent | undefined> {
    const settings = unsent.get(documentUuid);
    if (settings === undefined) return undefined;
    unsent.delete(documentUuid);
    const sent = await send({ command: 'change', documentUuid, ...settings });
    if (sent === 'done') after(untilSaid, () => forget(documentUuid, settings));
    else forget(documentUuid, settings);
    return sent;
  }

  useEffect(() => {
    for (const document of documents) {
      const settings = wanted.get(document.uuid);
      if (settings && isSetSo(document, settings)) forget(document.uuid, settings);
    }
  }, [documents]);

  return {
    documents: useMemo(() => documents.map((one) => asWanted(one, wanted)), [documents, wanted]),
    change(documentUuid, settings) {
      setWanted((known) => new Map(known).set(documentUuid, settings));
      unsent.set(documentUuid, settings);
      const before = underWay.current ?? Promise.resolve(true);
      const answer = before.then(() => tell(documentUuid));
      const round = Promise.all([before, answer]).then(([went, sent]) => went && (sent ?? 'done') === 'done');
      underWay.current = round;
      void round.finally(() => {
        if (underWay.current === round) underWay.current = undefined;
      });
      return answer;
    },
    settled: async () => (await underWay.current) ?? true,
  };
}
