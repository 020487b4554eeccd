/** The text in a support bundle that says what is in it and what is not, for whoever must allow that it is passed on. */
import { version } from '../../core/version.ts';
import { table } from '../terminal-text/table.ts';
import type { Bundle } from './bundle.ts';

export const readmeText = ({ taken, leftOut }: Bundle): string => `Support bundle of Platen ${version}

In it:

${table(taken.map(({ name, what }) => [name, what]))}

${leftOut.length === 0 ? 'All that belongs in it could be had.' : 'Could not be had:'}

${table(leftOut.map(({ name, reason }) => [name, reason]))}

Never in it: API keys, tokens, passwords, keys and other secrets of the configuration; user names, names, e-mail
addresses; card numbers, PINs and short ids; titles and contents of documents; the addresses of this machine.

A person is a pseudonym: the same in the whole of this bundle, another in every other one. The key it was made with is
kept nowhere. Documents and releases are named by their ids, which the print service knows too.

In it because no fault is found without: addresses of the print service, of printers and of network readers as they are
configured; serial numbers and names of terminals and of the customer's account; times at which somebody printed.
`;
