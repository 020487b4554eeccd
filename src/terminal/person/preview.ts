/**
 * The page of a document that the person in front looks at before it is printed. It is fetched and drawn when they ask,
 * a single page at a time, and forgotten when they look away or leave (INVARIANTS.md I3). A look releases nothing and
 * records nothing, and the document waits as before (D6).
 */
import { seconds } from '../../core/duration.ts';
import { required } from '../../core/required.ts';
import type { Env } from '../../domain/env.ts';
import type { PagePicture, PagePictures } from '../../domain/ports/preview.ts';
import type { Documents } from '../../domain/ports/service.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Said } from '../../domain/terminal/persons-word.ts';
import type { PreviewView } from '../../domain/terminal/terminal-view.ts';
import type { TerminalContext } from '../context.ts';
import type { In, Told } from '../endings.ts';
import { beginsCountdown } from '../endings.ts';
import type { LookedAt } from '../given.ts';
import { shownOf } from '../list.ts';

export interface PreviewDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly documents: Pick<Documents, 'download'>;
  readonly pictures: PagePictures;
  /** The view of the page has changed. */
  onChange(): void;
}

/** The time to fetch and draw the page, because a person stands and waits. */
const patience = seconds(20);
const nameOctets = 16;

/** A look at a page. Results that arrive after the person looked away are thrown away. */
interface Looking {
  readonly left: AbortController;
  view: PreviewView;
  png?: Buffer;
}

export class Preview {
  readonly #deps: PreviewDeps;
  #looking: Looking | undefined;

  constructor(deps: PreviewDeps) {
    this.#deps = deps;
  }

  view(): PreviewView | undefined {
    return this.#looking?.view;
  }

  /** The PNG with that name, while its page is looked at. */
  picture(name: string): Buffer | undefined {
    const { view, png } = this.#looking ?? {};
    return view?.picture === name ? png : undefined;
  }

  lookAt(wanted: LookedAt): void {
    this.#forget();
    const { document, page } = wanted;
    const looking: Looking = {
      left: new AbortController(),
      view: { documentUuid: document.uuid, page, stage: 'making' },
    };
    this.#looking = looking;
    this.#deps.onChange();
    void this.#draw(wanted, looking);
  }

  lookAway(): void {
    if (!this.#looking) return;
    this.#forget();
    this.#deps.onChange();
  }

  /** The page belongs to the list. It goes when the list goes, or when its document leaves the list (I3). */
  follow(state: string, context: TerminalContext): void {
    const { view } = this.#looking ?? {};
    if (!view) return;
    const { generation } = context;
    const isListed = shownOf(context, { generation, documentUuid: view.documentUuid }) !== undefined;
    if (state !== 'choosing' || !isListed) this.lookAway();
  }

  async #draw(wanted: LookedAt, looking: Looking): Promise<void> {
    const { clock, chance, log, onChange } = this.#deps;
    const { signal } = looking.left;
    try {
      const made = await this.#made(wanted, { signal: clock.deadline(patience, signal) });
      const png = made.kind === 'picture' ? made.png : undefined;
      if (signal.aborted) return void png?.fill(0);
      looking.view = png
        ? { ...looking.view, stage: 'shown', picture: chance.bytes(nameOctets).toString('base64url') }
        : { ...looking.view, stage: 'none', why: made.kind === 'picture' ? 'failed' : made.kind };
      if (png) looking.png = png;
    } catch (error) {
      if (signal.aborted) return;
      const problem = serviceFailure(error);
      logFailure(log, 'preview not made', problem, { sessionId: wanted.session.id });
      looking.view = { ...looking.view, stage: 'none', why: whyNot(problem) };
    }
    onChange();
  }

  async #made({ session, document, page }: LookedAt, call: { signal: AbortSignal }): Promise<PagePicture> {
    const { documents, pictures } = this.#deps;
    const download = await documents.download(document.uuid, session.login.token, call);
    return pictures.of(download, { page, paperSize: document.paperSize }, call);
  }

  #forget(): void {
    this.#looking?.left.abort();
    this.#looking?.png?.fill(0);
    this.#looking = undefined;
  }
}

function whyNot({ code }: Problem): NonNullable<PreviewView['why']> {
  if (code === 'document-gone') return 'gone';
  return code.startsWith('cloud-') || code === 'document-cut' || code === 'user-token-refused'
    ? 'not-fetched'
    : 'failed';
}

type Wanted = Told<Said<'preview'>>;

/** The words about a page at the list, as parts of its state (`choosing.ts`). */
export const previewWords = {
  preview: {
    guard: ({ context, event }: Wanted): boolean =>
      context.given.settings().preview && shownOf(context, event) !== undefined,
    actions: [
      ({ context, event }: Wanted): void =>
        context.given.preview.lookAt({
          session: required(context.session, 'session'),
          document: required(shownOf(context, event), 'document in the list'),
          page: event.page,
        }),
      ...beginsCountdown,
    ],
  },
  'end-preview': {
    guard: 'isShown',
    actions: [({ context }: In): void => context.given.preview.lookAway(), ...beginsCountdown],
  },
} as const;
