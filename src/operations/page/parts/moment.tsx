/** A moment, for people and for machines. */
import { momentText } from '../plain-words.ts';

export const Moment = ({ at }: { readonly at: string }) => <time dateTime={at}>{momentText(at)}</time>;
