/** The cells of `delete`. */
import { afterPrintPlay } from './after-print-play.ts';
import { playMatrix } from './play.ts';

playMatrix('delete', afterPrintPlay('delete'));
