/** What the dialogue of `platen init` is given, and what comes of it. */
import type { Secret } from '../../core/secret.ts';
import type { Answers } from './answers.ts';
import type { Present } from './config.ts';
import type { Dialogue } from './dialogue.ts';
import type { RunProgram } from './programs.ts';
import type { ServiceLook } from './service/service-look.ts';

export interface Interview {
  readonly answers: Answers;
  readonly present: Present;
  /** Of a file that was named. */
  readonly key: Secret | undefined;
  /** Enter keeps it. */
  readonly isKeyThere: boolean;
  readonly dialogue: Dialogue;
  readonly run: RunProgram;
  readonly signal: AbortSignal;
  readonly tryService: TryService;
}

/** `undefined`: it may not be tried. Without a key it is the one that is there. */
export type TryService = (service: ServiceAnswers) => Promise<ServiceLook | undefined>;

export interface ServiceAnswers {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly key: Secret | undefined;
}

export interface Interviewed {
  readonly answers: Answers;
  readonly key?: Secret | undefined;
  /** The service was tried, or a person took it as it is. */
  readonly isServiceTried: boolean;
  /** A person was asked for printers, and has seen what each answered. */
  readonly isAsked: boolean;
}
