/** Of the closed list: what can go wrong between the gateways of a fleet, and between them and their engine. */
import { kind } from './problem-kind.ts';

export const fleetProblemKinds = {
  'document-claimed': kind(
    'later',
    'This document is being printed at another printer.',
    'Another gateway of the fleet has this document in hand. platen releases list there says how far it is.',
  ),
  'claim-lost': kind(
    'later',
    'Nothing was printed. The document still waits for you.',
    'Another gateway of the fleet took this document over, and settles it. What had come out here by then, platen releases show says.',
  ),
  'fleet-engine-away': kind(
    'later',
    'Nothing can be printed here at the moment. Please try again in a minute.',
    'The engine of the fleet (PostgreSQL) does not answer. Without it a document could print twice, so nothing is printed. Check that it runs, and the network to it.',
  ),
  'fleet-engine-refused': kind(
    'after-repair',
    'Nothing can be printed here at the moment. Please ask for help.',
    'The PostgreSQL named in fleet.engine.url cannot be the engine of a fleet as it is set up. Correct what the message names; platen check shows it.',
  ),
  'fleet-key-differs': kind(
    'after-repair',
    'Nothing can be printed here at the moment. Please ask for help.',
    'The engine was set up with another fleet.key, or belongs to another fleet. Give every member the same key, or correct fleet.engine.url.',
  ),
  'fleet-differs': kind(
    'after-repair',
    'Nothing can be printed here at the moment. Please ask for help.',
    'The engine is of another fleet than this gateway, or it was lost and begun anew: then it knows of no document that was printed. Nothing is printed. Restore its backup, or correct fleet.engine.url. If it is lost for good, platen fleet accept goes on without its past.',
  ),
  'fleet-member-twice': kind(
    'after-repair',
    'Nothing can be printed here at the moment. Please ask for help.',
    'Another gateway runs with a copy of this state directory. Stop one of the two, empty its stateDir, and set it up again with platen init.',
  ),
  'fleet-name-twice': kind(
    'later',
    'Another gateway has the name of this one.',
    'People read places and gateways by their names. Give each gateway a host name of its own, or a device.clientId, and restart it. Printing goes on meanwhile.',
  ),
  'fleet-member-behind': kind(
    'after-repair',
    'Nothing can be printed here at the moment. Please ask for help.',
    'This version of Platen is older than the fleet allows. Install the version that the other members have.',
  ),
  'fleet-terminal-elsewhere': kind(
    'later',
    'Another gateway serves this terminal at the moment.',
    'platen status says which gateway serves it. It comes back to this one when nobody uses it there.',
  ),
  'fleet-config-refused': kind(
    'after-repair',
    'The configuration of this printer could not be changed.',
    'This gateway does not take the configuration that its fleet rolls out, and goes on with the one before. Correct what the message names: in the directory that is pushed, in the own file, or in fleet.signers.',
  ),
  'fleet-forgot': kind(
    'after-repair',
    'The other printers are being asked what they have printed. Print it if you know that it did not come out.',
    'The engine knows less than its members: a backup was restored, a standby took over that lacked the last changes, or a member that was alone has printed without it. Members publish what they know; until then people are asked before documents print that nobody knows of. Start all members, or retire those that will not come back.',
  ),
} as const;
