/** What printers announce, as avahi-browse 0.8 prints it; and what others announce to get somewhere. */
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { draftOf } from '../../src/config/config-edit.ts';
import { idFor } from '../../src/commands/init/printers/printers.ts';
import { table } from '../../src/commands/terminal-text/table.ts';
import { announcedPrinters } from '../../src/printing/dns-sd.ts';

/** As avahi-daemon 0.8 gave it to avahi-browse -rtpk. */
const recorded = String.raw`
+;eth0;IPv4;Kyocera\0322\.\032Stock\059\032\195\164rgerlich;_ipp._tcp;local
+;eth0;IPv4;Lab;_ipp._tcp;local
=;eth0;IPv4;Kyocera\0322\.\032Stock\059\032\195\164rgerlich;_ipp._tcp;local;kyo.local;10.9.8.7;631;"txtvers=1" "qtotal=1" "rp=ipp/print" "ty=Kyocera \"ECOSYS\"" "UUID=4509a320-00a0-008f-00b6-002507510eca"
=;eth0;IPv6;Lab;_ipp._tcp;local;lab.local;2001:db8::7;8631;"RP=printers/lab" "rp=second"
=;eth0;IPv4;Lab;_ipp._tcp;local;lab.local;10.9.8.8;8631;"RP=printers/lab" "rp=second"
=;eth0;IPv6;Six;_ipps._tcp;local;six.local;2001:db8::9;443;"rp="
=;eth0;IPv4;Kyocera\0322\.\032Stock\059\032\195\164rgerlich;_ipps._tcp;local;kyo.local;10.9.8.7;631;"rp=ipp/print"
`;

it('gives each printer once, by ipps where it has it, by IPv4 where it has it, and by address (T13)', () => {
  expect(announcedPrinters(recorded)).toEqual([
    { name: 'Kyocera 2. Stock; ärgerlich', uri: 'ipps://10.9.8.7/ipp/print' },
    { name: 'Lab', uri: 'ipp://10.9.8.8:8631/printers/lab' },
    { name: 'Six', uri: 'ipps://[2001:db8::9]:443/' },
  ]);
});

const record = (name: string, address = '10.0.0.9', rest = '631;"rp=ipp/print"', type = '_ipp._tcp') =>
  `=;eth0;IPv4;${name};${type};local;h.local;${address};${rest}`;

describe('a record that is no printer within reach', () => {
  it.each([
    ['a loopback address', record('A', '127.0.0.1')],
    ['the loopback address of IPv6', record('A', '::1')],
    ['a link-local address', record('A', '169.254.1.1')],
    ['the metadata of a cloud machine', record('A', '169.254.169.254')],
    ['a link-local address of IPv6', record('A', 'fe80::1')],
    ['a multicast address', record('A', '224.0.0.251')],
    ['an IPv4 address in the form of IPv6', record('A', '::ffff:127.0.0.1')],
    ['a name for an address', record('A', 'printer.local')],
    ['a port beyond all', record('A', '10.0.0.9', '70000;"rp=ipp/print"')],
    ['port 0', record('A', '10.0.0.9', '0;"rp=ipp/print"')],
    ['a path that climbs', record('A', '10.0.0.9', '631;"rp=ipp/../../admin"')],
    ['a path with a line in it', record('A', '10.0.0.9', String.raw`631;"rp=ipp\010evil: true"`)],
    ['a path with a query', record('A', '10.0.0.9', '631;"rp=ipp?x=1#y"')],
    ['a host in the path', record('A', '10.0.0.9', '631;"rp=@evil.example/"')],
    ['another service', record('A', '10.0.0.9', '631;"rp=x"', '_http._tcp')],
    ['a bare ; in its name', record('A;_ipp._tcp;local;x', '10.0.0.9')],
    ['a name of 64 KB', record('x'.repeat(65_536))],
    ['a name of 64 octets', record('x'.repeat(64))],
    ['a TXT record of 64 KB', record('A', '10.0.0.9', `631;"rp=ipp/print" "n=${'x'.repeat(65_536)}"`)],
    ['no name at all', record('')],
    ['half a record', '=;eth0;IPv4;A;_ipp._tcp;local'],
  ])('is dropped: %s', (_what, line) => {
    expect(announcedPrinters(`${line}\n${record('Good')}\n`).map(({ name }) => name)).toEqual(['Good']);
  });

  it('does not crowd out more than there is room for', () => {
    const many = Array.from({ length: 5000 }, (_, at) => record(`P${at}`)).join('\n');
    expect(announcedPrinters(many)).toHaveLength(200);
  });
});

describe('a name made to do harm (T21)', () => {
  const hostile = [
    String.raw`\027\0912J\027\09331m`,
    String.raw`\027\0930;owned\007`.replace(';', String.raw`\059`),
    String.raw`a\010\010terminals\058\032\091\093`,
    String.raw`\226\128\174drawkcab`,
    String.raw`\194\155 2J`,
    String.raw`\255\254`,
    String.raw`\013\034\039\: &a *a !!js`,
    String.raw`- \{ x\: \[`,
  ];

  it.each(hostile)('is shown escaped, and gives an id that is one: %s', (label) => {
    const [found] = announcedPrinters(record(label));
    const name = found?.name ?? '';
    expect(name).not.toBe('');
    // What a terminal acts upon: C0 and C1, and what turns the direction of writing.
    expect(table([['1', name]])).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(idFor(name, [])).toMatch(/^[a-z0-9-]{1,32}$/);
  });

  it.each(hostile)('stays one text where it is written into a configuration: %s', (label) => {
    const serialNumber = announcedPrinters(record(label))[0]?.name;
    const draft = draftOf('platen.yaml', stringify({ terminals: [] }));
    draft.set({ path: ['terminals', 0], value: { serialNumber } });
    expect(parse(draft.text())).toEqual({ terminals: [{ serialNumber }] });
    expect(draft.text()).not.toContain('\u001b');
  });
});

it('makes ids that no other terminal has', () => {
  expect(idFor('Büro 3 (Süd)', [])).toBe('buro-3-sud');
  expect(idFor('Lab', ['lab', 'lab-2'])).toBe('lab-3');
  expect(idFor('プリンター', [])).toBe('printer');
});
