/** The cells of `login`. */
import { playMatrix } from './play.ts';
import { sessionPlay } from './session-play.ts';

playMatrix('login', sessionPlay('login'));
