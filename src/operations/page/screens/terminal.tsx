/**
 * One terminal of the gateway that serves this page: its state, its printer and the printer's needs, its readers, its
 * settings.
 */
import { ConditionItem } from '../parts/condition-item.tsx';
import { Facts, Moment } from '../parts/facts.tsx';
import { TakenOn } from '../parts/taken-on.tsx';
import { TerminalMark } from '../parts/terminal-table.tsx';
import type { OwnStatus, OwnTerminal } from '../own-status.ts';
import { outageReason } from '../../../domain/terminal/outage-words.ts';
import { printerText } from '../own-status.ts';
import { counted, sentence } from '../plain-words.ts';
import { useHeading } from '../focus.ts';
import type { Watched } from '../watching.ts';
import { Message } from './message.tsx';

export function Terminal({ id, own }: { readonly id: string; readonly own: Watched<OwnStatus> }) {
  if (!own.answer) return <p class="hint">One moment…</p>;
  const terminal = own.answer.terminals.find((one) => one.id === id);
  if (!terminal) {
    return (
      <Message title="No such terminal">
        This gateway has no terminal of this name. Another gateway’s are on its own page.
      </Message>
    );
  }
  return (
    <Known
      terminal={terminal}
      conditions={own.answer.conditions.filter(({ scope }) => scope === id || scope === 'agent')}
    />
  );
}

interface KnownProps {
  readonly terminal: OwnTerminal;
  readonly conditions: OwnStatus['conditions'];
}

function Known({ terminal, conditions }: KnownProps) {
  const heading = useHeading(terminal.id);
  const { printer, outage, prompt, outputPortId } = terminal;
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {terminal.id}
      </h1>
      <p class="lead">
        <TerminalMark terminal={terminal} /> {outage && sentence(outageReason(outage.reason))}
      </p>
      <Facts
        of={[
          ['Served by', outage?.by],
          ['Reference on the screen', outage?.reference],
          ['Printer', printerText(printer)],
          ['Printer’s address', printer.uri],
          [
            'Printer’s certificate ends',
            printer.certificate?.validTo === undefined ? null : (
              <Moment key="ends" at={printer.certificate.validTo} />
            ),
          ],
          ['Output port', outputPortId === null ? 'none of the service is known' : String(outputPortId)],
          ['Keyboard and screen', prompt && `${prompt.tty}, ${prompt.state}`],
        ]}
      />
      <h2>Conditions</h2>
      {conditions.length === 0 ? (
        <p>Nothing is wrong.</p>
      ) : (
        <ul class="conditions">
          {conditions.map((one) => (
            <ConditionItem
              key={`${one.scope}/${one.subject}`}
              where={one.scope === 'agent' ? 'The whole gateway' : `This terminal, ${one.subject}`}
              {...one}
            >
              <TakenOn condition={one} />
            </ConditionItem>
          ))}
        </ul>
      )}
      <Readers terminal={terminal} />
      <Settings terminal={terminal} />
    </>
  );
}

function Readers({ terminal: { readers } }: { readonly terminal: OwnTerminal }) {
  return (
    <>
      <h2>Readers</h2>
      {readers.length === 0 ? (
        <p>It has none.</p>
      ) : (
        <ul class="plain">
          {readers.map(({ name, kind, state, frames, garbage, reconnects }) => (
            <li key={name}>
              <b>{name}</b> ({kind}): {state}, {counted(frames, 'number')} read, {garbage} unreadable, came
              back {counted(reconnects, 'time')}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Settings({
  terminal: { settings, settingsSince, settingsRead },
}: {
  readonly terminal: OwnTerminal;
}) {
  return (
    <>
      <h2>Settings</h2>
      <p>
        {settingsSince === null ? (
          'The service has said nothing yet.'
        ) : (
          <>
            As the service says since <Moment at={settingsSince} />
          </>
        )}
        {settingsRead !== null && (
          <>
            , last read <Moment at={settingsRead} />
          </>
        )}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(settings).map(([name, { value, from }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{typeof value === 'string' ? value : JSON.stringify(value)}</td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
