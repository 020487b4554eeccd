/** The sentences about several printers, in a language; one that lacks one of them does not compile. */
import type { printers } from './en.ts';

export type PrinterMessages = { readonly [Key in keyof typeof printers]: string };
