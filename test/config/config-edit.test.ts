import { describe, expect, it } from 'vitest';
import { draftOf } from '../../src/config/config-edit.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';

const text = `# Ours since 2026.
cloud:
  baseUrl: https://one.example # the old one
  apiKey: { file: api-key }

# Every printer on the ground floor.
terminals:
  - id: lobby
    # By the door.
    printer: { uri: ipp://10.0.0.7/ipp/print, stallSeconds: 60 }
`;

describe('an edit by keys', () => {
  it('changes what it names, and leaves comments and all else', () => {
    const draft = draftOf('platen.yaml', text);
    draft.set({ path: ['cloud', 'baseUrl'], value: 'https://two.example' });
    draft.set({ path: ['terminals', 0, 'printer', 'uri'], value: 'ipps://10.0.0.8/ipp/print' });
    draft.set({ path: ['terminals', 1], value: { id: 'yard', serialNumber: '007' } });
    draft.set({ path: ['device', 'description'], value: 'yes' });
    expect(draft.text()).toBe(
      `${text.replace('one.example', 'two.example').replace('ipp://10.0.0.7', 'ipps://10.0.0.8')}  - id: yard
    serialNumber: "007"
device:
  description: yes
`,
    );
    expect(draft.changes).toEqual([
      { path: 'cloud.baseUrl', from: '"https://one.example"', to: '"https://two.example"' },
      {
        path: 'terminals[0].printer.uri',
        from: '"ipp://10.0.0.7/ipp/print"',
        to: '"ipps://10.0.0.8/ipp/print"',
      },
      { path: 'terminals[1]', to: '{"id":"yard","serialNumber":"007"}' },
      { path: 'device.description', to: '"yes"' },
    ]);
  });

  it('is none where the value stands there already: the file stays as it is, to the octet', () => {
    const odd = text.replace('cloud:', 'cloud:   ').replace(/\n/g, '\r\n');
    const draft = draftOf('platen.yaml', odd);
    draft.set({ path: ['cloud', 'apiKey'], value: { file: 'api-key' }, flow: true });
    draft.set({ path: ['terminals', 0, 'id'], value: 'lobby' });
    draft.set({ path: ['terminals', 0, 'readers'], value: undefined });
    expect([draft.changes, draft.text()]).toEqual([[], odd]);
  });

  it.each(['', '# nothing yet\n', 'terminals: []\n'])('begins a list in %j', (empty) => {
    const draft = draftOf('platen.yaml', empty);
    draft.set({ path: ['terminals', 0], value: { id: 'lobby' } });
    expect(draft.text()).toBe(
      `${empty.replace('terminals: []\n', '')}${empty === '# nothing yet\n' ? '\n' : ''}terminals:\n  - id: lobby\n`,
    );
  });

  it.each([
    ['a: [', /platen\.yaml: Line 1: close the bracket/],
    ['- a\n', 'must contain keys and values'],
  ])('is refused in %j', (bad, why) => {
    expect(() => draftOf('platen.yaml', bad)).toThrow(why);
  });
});

const bomb = [
  'a: &a [1]',
  ...Array.from(
    { length: 12 },
    (_, at) =>
      `${'bcdefghijklm'[at]}: &${'bcdefghijklm'[at]} [*${'abcdefghijkl'[at]}, *${'abcdefghijkl'[at]}]`,
  ),
].join('\n');

describe('what cannot be edited as it stands', () => {
  it.each([
    ['a key with nothing behind it', 'cloud: # ours\n', 'cloud:\n  baseUrl: b\n  # ours\n'],
    ['no keys at all', '', 'cloud:\n  baseUrl: b\n'],
  ])('%s takes what comes below it, comments kept', (_, written, expected) => {
    const draft = draftOf('f.yaml', written);
    draft.set({ path: ['cloud', 'baseUrl'], value: 'b' });
    expect(draft.text()).toBe(expected);
  });

  it.each([
    ['a value above it', 'cloud: here\n', /cloud: has another kind of value; edit the file by hand/],
    ['an alias beside it', 'a: &x b\nc: *x\ncloud: {}\n', /cloud\.baseUrl: .*alias.*by hand/],
    ['an alias of nothing', 'a: *x\n', /Line 1: put quotes around a value that begins with \*\.$/],
    ['a list of its lists, ten deep', bomb, /more than 100 aliases/],
  ])('%s is a mistake, told as one', (_, written, expected) => {
    const set = () => draftOf('f.yaml', written).set({ path: ['cloud', 'baseUrl'], value: 'b' });
    expect(set).toThrow(ConfigInvalid);
    expect(set).toThrow(expected);
  });
});
