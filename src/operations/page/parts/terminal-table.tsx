/** The terminals of this gateway, those with trouble first. */
import type { OwnTerminal } from '../own-status.ts';
import { isInOrder, printerText, stateText } from '../own-status.ts';
import { hrefs } from '../place.ts';
import { Mark } from './facts.tsx';

export function TerminalTable({ terminals }: { readonly terminals: readonly OwnTerminal[] }) {
  if (terminals.length === 0) return <p>No terminal is configured.</p>;
  const troubled = terminals.filter((terminal) => !isInOrder(terminal));
  const others = terminals.filter((terminal) => isInOrder(terminal));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Terminal</th>
          <th scope="col">State</th>
          <th scope="col">Printer</th>
          <th scope="col">Readers</th>
        </tr>
      </thead>
      <tbody>
        {[...troubled, ...others].map((terminal) => (
          <tr key={terminal.id}>
            <th scope="row">
              <a href={hrefs.terminal(terminal.id)}>{terminal.id}</a>
            </th>
            <td>
              <TerminalMark terminal={terminal} />
            </td>
            <td>{printerText(terminal.printer)}</td>
            <td>{readersText(terminal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function TerminalMark({ terminal }: { readonly terminal: OwnTerminal }) {
  const tone = isInOrder(terminal) ? 'good' : terminal.ready ? 'warn' : 'bad';
  return <Mark tone={tone}>{stateText(terminal)}</Mark>;
}

function readersText({ readers }: OwnTerminal): string {
  const up = readers.filter(({ state }) => state === 'up').length;
  return readers.length === 0 ? 'none' : `${up} of ${readers.length} up`;
}
