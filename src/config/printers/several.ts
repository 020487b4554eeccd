/** Finds mistakes in a list of printers: a printer twice, a name twice, or a delivery that allows only one printer. */
import { visibleText } from '../../core/text/visible-text.ts';
import { printerAddress } from '../../domain/printer/printer-address.ts';
import type { Mistake } from '../mistakes.ts';

interface Screens {
  readonly terminals: readonly {
    readonly delivery: string;
    readonly printers?: readonly { readonly name: string; readonly uri: string }[] | undefined;
  }[];
}

export function withDoubtfulPrinters({ terminals }: Screens): Mistake[] {
  return terminals.flatMap(({ delivery, printers = [] }, terminal) => {
    const path = ['terminals', terminal, 'printers'];
    const ofDelivery = {
      path,
      message: `with delivery ${delivery} the service sends the documents, and it knows only one printer of a terminal. Write delivery: local`,
    };
    return [
      ...(delivery !== 'local' && printers.length > 1 ? [ofDelivery] : []),
      ...printers.flatMap((one, at) =>
        mistakesOf(one, printers.slice(0, at)).map(([key, message]) => ({
          path: [...path, at, key],
          message,
        })),
      ),
    ];
  });
}

type Named = { readonly name: string; readonly uri: string };

function mistakesOf({ name, uri }: Named, earlier: readonly Named[]): readonly (readonly [string, string])[] {
  const namesake = earlier.find((one) => folded(one.name) === folded(name));
  const same = earlier.find((one) => printerAddress(one.uri) === printerAddress(uri));
  return [
    ...(namesake
      ? [['name', `"${name}" is already the name of an earlier printer of this terminal`] as const]
      : []),
    ...(uri === 'auto' && earlier.length > 0
      ? [
          [
            'uri',
            'auto takes the address of the output port. The service has one output port for a terminal, for the first printer. Write the address of this printer',
          ] as const,
        ]
      : []),
    ...(same && uri !== 'auto'
      ? [['uri', `is already the printer ${same.name} of this terminal`] as const]
      : []),
  ];
}

/** Names are compared in this form, because people see no difference between such names. */
const folded = (name: string): string => visibleText(name).normalize('NFKC').toLowerCase();
