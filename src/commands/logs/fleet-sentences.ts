/** The log messages about a fleet and its engine, in words. */
import type { Facts, Sentences } from './sentence.ts';
import { because, counted, listed, release, said } from './sentence.ts';

const atPlace = ({ place }: Facts): string => (place === undefined ? '' : ` (${said(place)})`);

const asker = ({ by, from }: Facts): string =>
  `${said(from) && ` at ${said(from)}`}${said(by) && ` by the user ${said(by)}`}`;

export const fleetSentences: Sentences = {
  'config version taken': ({ version }) =>
    version === 0
      ? "The fleet took its configuration back. Only this gateway's own file is in force."
      : `Version ${said(version)} of the fleet's configuration is in force.`,
  'config version refused': ({ version, why }) =>
    `This gateway refused version ${said(version)} of the fleet's configuration, and the earlier version stays in force: ${said(why)}.`,
  'config version not looked for': (facts) =>
    `Platen could not read which version of the configuration the fleet wants.${because(facts)}`,
  'config keys shadowed': ({ keys }) =>
    `This gateway's own file overrides the fleet's configuration in ${listed(keys)}.`,
  'rollout goes on': ({ version, percent, gateways }) =>
    `Version ${said(version)} of the fleet's configuration goes to ${said(percent)} % of the gateways (${said(gateways)}).`,
  'rollout halted': ({ version, gateway, why }) =>
    `The roll-out of version ${said(version)} was halted: ${said(gateway)} ${said(why)}.`,
  'rollout finished': ({ version, gateways }) =>
    `Version ${said(version)} of the fleet's configuration is in force at all ${said(gateways)} gateways.`,
  'rollout not looked after': (facts) => `Platen could not continue a roll-out.${because(facts)}`,
  'engine found': ({ engine, version }) =>
    `The engine of the fleet is ${said(engine)}, PostgreSQL ${said(version)}.`,
  'engine address changed': () =>
    'The address of the engine, its password, or what proves it is new in fleet.engine.url.',
  'engine address not read': (facts) =>
    `Platen could not read fleet.engine.url again after the engine refused it.${because(facts)}`,
  'engine away': (facts) => `The engine of the fleet cannot be used.${because(facts)}`,
  'engine back': ({ engine, awaySeconds }) =>
    `The engine of the fleet is back after ${said(awaySeconds)} s: ${said(engine)}.`,
  'engine has forgotten': ({ told }) =>
    `The engine of the fleet was restored, or lost its last entries. This gateway reported ${counted(told, 'document')} to it again.`,
  'claimed without the engine': (facts) =>
    `${release(facts)} continues without the engine, because no other gateway was ever in the fleet.`,
  'alone no more': () =>
    'Another gateway has joined the fleet. From now on this gateway prints nothing while the engine does not answer.',
  'a member that was alone has not told what it printed': ({ member }) =>
    `Another gateway (${said(member)}) was alone in the fleet, and has not reported its prints yet. Until then Platen asks people before each print.`,
  'claim refused': (facts) =>
    facts['code'] === 'claim-lost'
      ? `${release(facts)} now belongs to another gateway of the fleet.`
      : `${release(facts)} did not print, because another printer${atPlace(facts)} has or had the document.`,
  'claim to be settled later': (facts) =>
    `${release(facts)}: Platen reports its end to the engine of the fleet later.`,
  'claims not settled yet': (facts) =>
    `Platen could not report ended releases to the engine of the fleet yet.${because(facts)}`,
  'old claims removed': ({ claims, keptDays }) =>
    `Platen removed ${counted(claims, 'claim')} from the engine of the fleet. They were over for ${said(keptDays)} days or more.`,
  'old claims not removed yet': (facts) =>
    `Platen could not remove old claims from the engine of the fleet yet.${because(facts)}`,
  'claim taken over': (facts) =>
    `${release(facts)} belongs to another gateway of the fleet, which no longer answers. This gateway settles it.`,
  'will cannot be opened': (facts) =>
    `${release(facts)}: Platen cannot read the data that another gateway of the fleet left for it. The release stays as it is.`,
  'claim not proven': (facts) =>
    `${release(facts)} of another gateway of the fleet may have printed: nothing proves what the engine says about it. Platen records nothing and deletes nothing.`,
  'will not settled yet': (facts) =>
    `${release(facts)} of another gateway of the fleet: Platen could not take it over yet.${because(facts)}`,
  'wills not settled yet': (facts) =>
    `Platen could not read the releases that other gateways of the fleet left.${because(facts)}`,
  'history left': (facts) => `${release(facts)}: another gateway of the fleet posts its history record.`,
  'diagnosis asked for': (facts) => `An administrator asked for the support bundle${asker(facts)}.`,
  'terminal move asked for': (facts) =>
    `An administrator asked to move the terminal to ${said(facts['to'])}${asker(facts)}.`,
  'diagnosis answered': ({ from, octets }) =>
    `The support bundle (${said(octets)} octets) was encrypted for the administrator who asked at ${said(from)}.`,
  'diagnosis refused': (facts) =>
    `Platen refused a request for a support bundle${asker(facts)}.${because(facts)}`,
  'diagnosis not answered': (facts) =>
    `Platen could not deliver the support bundle${asker(facts)}.${because(facts)}`,
  'diagnosis not looked for': (facts) =>
    `Platen could not ask the engine for requests of support bundles.${because(facts)}`,
  'digest not told': (facts) =>
    `Platen could not report the state of this gateway to the engine.${because(facts)}`,
  'output ports read for the fleet': ({ ports }) =>
    `This gateway read the output ports of the account for the whole fleet${typeof ports === 'number' ? ` (${ports})` : ''}.`,
  'output ports read alone': (facts) =>
    `This gateway read the output ports from the service, because the engine could not give them.${because(facts)}`,
  'members not counted': (facts) =>
    `Platen could not ask the engine for the number of gateways in the fleet.${because(facts)}`,
  'claims elsewhere not known': (facts) =>
    `Platen does not know which documents other gateways of the fleet print.${because(facts)}`,
};
