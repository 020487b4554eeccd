/** The cells of `history`. */
import { afterPrintPlay } from './after-print-play.ts';
import { playMatrix } from './play.ts';

playMatrix('history', afterPrintPlay('history'));
