/** A process that opens the books of a directory, and by that makes them where there are none: `creating-process.ts STATE-DIR`. */
import { openBooks } from '../support/store/books.ts';

openBooks({ directory: process.argv[2] ?? '' })[Symbol.dispose]();
