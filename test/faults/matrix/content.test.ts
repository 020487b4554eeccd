/** The cells of `content`. */
import { playMatrix } from './play.ts';
import { sessionPlay } from './session-play.ts';

playMatrix('content', sessionPlay('content'));
