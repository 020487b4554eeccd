/** The cells of `list`. */
import { playMatrix } from './play.ts';
import { sessionPlay } from './session-play.ts';

playMatrix('list', sessionPlay('list'));
