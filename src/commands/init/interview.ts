/** The input and the result of the dialogue of `platen init`. */
import type { Secret } from '../../core/secret.ts';
import type { Answers } from './answers.ts';
import type { Present } from './config.ts';
import type { Dialogue } from './dialogue.ts';
import type { RunProgram } from './programs.ts';
import type { ServiceLook } from './service/service-look.ts';

export interface Interview {
  readonly answers: Answers;
  readonly present: Present;
  /** From a file that was named. */
  readonly key: Secret | undefined;
  /** Enter keeps the present key. */
  readonly isKeyThere: boolean;
  readonly dialogue: Dialogue;
  readonly run: RunProgram;
  readonly signal: AbortSignal;
  readonly tryService: TryService;
}

/** `undefined`: the service may not be called. Without a key, the present key is used. */
export type TryService = (service: ServiceAnswers) => Promise<ServiceLook | undefined>;

export interface ServiceAnswers {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly key: Secret | undefined;
}

export interface Interviewed {
  readonly answers: Answers;
  readonly key?: Secret | undefined;
  /** The service was tried, or the person accepted it without an answer. */
  readonly isServiceTried: boolean;
  /** A person was asked for printers, and has seen the answer of each. */
  readonly isAsked: boolean;
}
