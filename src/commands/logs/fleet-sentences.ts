/** What the log says of a fleet and its engine, in words. */
import type { Facts, Sentences } from './sentence.ts';
import { because, counted, listed, release, said } from './sentence.ts';

const atPlace = ({ place }: Facts): string => (place === undefined ? '' : ` (${said(place)})`);

const asker = ({ by, from }: Facts): string =>
  `${said(from) && ` at ${said(from)}`}${said(by) && ` by the user ${said(by)}`}`;

export const fleetSentences: Sentences = {
  'config version taken': ({ version }) =>
    version === 0
      ? 'The configuration of the fleet was taken back: the own file of this gateway is in force alone.'
      : `Version ${said(version)} of the fleet's configuration is in force.`,
  'config version refused': ({ version, why }) =>
    `Version ${said(version)} of the fleet's configuration was refused, and the one before stays in force: ${said(why)}.`,
  'config version not looked for': (facts) =>
    `It is not known which version of its configuration the fleet wants.${because(facts)}`,
  'config keys shadowed': ({ keys }) =>
    `The own file of this gateway stands before the fleet's configuration: ${listed(keys)}.`,
  'rollout goes on': ({ version, percent, gateways }) =>
    `Version ${said(version)} of the fleet's configuration goes to ${said(percent)} % of the gateways (${said(gateways)}).`,
  'rollout halted': ({ version, gateway, why }) =>
    `The roll-out of version ${said(version)} was halted: ${said(gateway)} ${said(why)}.`,
  'rollout finished': ({ version, gateways }) =>
    `Version ${said(version)} of the fleet's configuration is in force at all ${said(gateways)} gateways.`,
  'rollout not looked after': (facts) => `A roll-out could not be looked after.${because(facts)}`,
  'engine found': ({ engine, version }) =>
    `The engine of the fleet is ${said(engine)}, PostgreSQL ${said(version)}.`,
  'engine away': (facts) => `The engine of the fleet cannot be used.${because(facts)}`,
  'engine back': ({ engine, awaySeconds }) =>
    `The engine of the fleet is back after ${said(awaySeconds)} s: ${said(engine)}.`,
  'engine has forgotten': ({ told }) =>
    `The engine of the fleet was restored, or lost its last entries. ${counted(told, 'document')} of this gateway were told to it again.`,
  'claimed without the engine': (facts) =>
    `${release(facts)} goes on without the engine: no other gateway was ever in the fleet.`,
  'alone no more': () =>
    'Another gateway has joined the fleet. From now on this one prints nothing while the engine is away.',
  'a member that was alone has not told what it printed': ({ member }) =>
    `Another gateway (${said(member)}) was alone in the fleet, and has not told yet what it printed. Until then people are asked before each print.`,
  'claim refused': (facts) =>
    facts['code'] === 'claim-lost'
      ? `${release(facts)} was taken over by another gateway of the fleet.`
      : `${release(facts)} did not print: another printer${atPlace(facts)} has the document, or had it.`,
  'claim to be settled later': (facts) =>
    `${release(facts)}: the engine of the fleet hears of its end later.`,
  'claims not settled yet': (facts) =>
    `The engine of the fleet could not be told of ended releases yet.${because(facts)}`,
  'claim taken over': (facts) =>
    `${release(facts)} was left by another gateway of the fleet, which is gone. This one settles it.`,
  'will cannot be opened': (facts) =>
    `${release(facts)}: what another gateway of the fleet left of it cannot be read. It is left as it is.`,
  'will not settled yet': (facts) =>
    `${release(facts)}, left by another gateway of the fleet, could not be taken over yet.${because(facts)}`,
  'wills not settled yet': (facts) =>
    `What other gateways of the fleet left could not be looked at.${because(facts)}`,
  'history left': (facts) => `${release(facts)}: another gateway of the fleet posts its history record.`,
  'diagnosis asked for': (facts) => `The support bundle was asked for${asker(facts)}.`,
  'terminal move asked for': (facts) =>
    `The terminal is to be served by ${said(facts['to'])}: that was asked for${asker(facts)}.`,
  'diagnosis answered': ({ from, octets }) =>
    `The support bundle (${said(octets)} octets) was sealed for whoever asked at ${said(from)}.`,
  'diagnosis refused': (facts) => `A support bundle was refused${asker(facts)}.${because(facts)}`,
  'diagnosis not answered': (facts) =>
    `The support bundle could not be given${asker(facts)}.${because(facts)}`,
  'diagnosis not looked for': (facts) =>
    `The engine could not be asked who wants a support bundle.${because(facts)}`,
  'digest not told': (facts) => `The engine could not be told how this gateway is.${because(facts)}`,
  'output ports read for the fleet': ({ ports }) =>
    `The output ports of the account were read for the whole fleet${typeof ports === 'number' ? ` (${ports})` : ''}.`,
  'output ports read alone': (facts) =>
    `The output ports were read from the service; the engine could not give them.${because(facts)}`,
  'members not counted': (facts) =>
    `The engine could not be asked how many gateways the fleet has.${because(facts)}`,
  'claims elsewhere not known': (facts) =>
    `It is not known which documents other gateways of the fleet print.${because(facts)}`,
};
