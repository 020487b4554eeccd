/** The sentences of the person in front, in a language; one that lacks one of them does not compile. */
import type { Plural } from '../sentence.ts';
import type { personEn } from './en.ts';

export type PersonMessages = {
  readonly [Key in keyof typeof personEn]: (typeof personEn)[Key] extends string ? string : Plural;
};
