/** The problems between the gateways of a fleet, and between them and their engine: a part of the closed list. */
import { kind } from './problem-kind.ts';
import { problemSentences } from './problem-sentences.ts';

export const fleetProblemKinds = {
  'document-claimed': kind(
    'later',
    'This document is being printed at another printer.',
    'Another gateway of the fleet is working on this document. To see its state, run platen releases list on that gateway.',
  ),
  'claim-lost': kind(
    'later',
    problemSentences.notPrinted,
    'Another gateway of the fleet took this document over, and settles it. platen releases show tells how much had come out here before.',
  ),
  'fleet-engine-away': kind(
    'later',
    problemSentences.cannotRecord,
    'The engine of the fleet (PostgreSQL) does not answer. Without it a document could print twice, so Platen prints nothing. Check that the engine runs, and check the network to it.',
  ),
  'fleet-engine-refused': kind(
    'after-repair',
    problemSentences.needsRepair,
    'The PostgreSQL in fleet.engine.url cannot be the engine of a fleet with its present settings. Correct the setting in the message; platen check shows it too.',
  ),
  'fleet-engine-unsteady': kind(
    'later',
    'Printing may take longer at the moment.',
    'The engine of the fleet comes and goes. Each time Platen connects again and prints, but gateways settle the documents of a gateway that is gone only after 30 seconds without an interruption. See the log of the PostgreSQL for the reason of its restarts, and check the network to it.',
  ),
  'fleet-key-differs': kind(
    'after-repair',
    problemSentences.needsRepair,
    'The engine was set up with another fleet.key, or belongs to another fleet. Give every member the same key, or correct fleet.engine.url.',
  ),
  'fleet-differs': kind(
    'after-repair',
    problemSentences.needsRepair,
    'The engine belongs to another fleet, or it was lost and is a new one, which does not know the printed documents. Platen prints nothing. Restore the backup of the engine, or correct fleet.engine.url. If the old engine is lost for good, run platen fleet accept to continue without its data.',
  ),
  'fleet-member-twice': kind(
    'after-repair',
    problemSentences.needsRepair,
    'Another gateway runs with a copy of this state directory. Stop one of the two gateways, empty its stateDir, and set it up again with platen init.',
  ),
  'fleet-name-twice': kind(
    'later',
    'Another gateway has the name of this one.',
    'People know places and gateways by their names. Give each gateway its own host name or its own device.clientId, and restart it. Printing continues meanwhile.',
  ),
  'fleet-member-behind': kind(
    'after-repair',
    problemSentences.needsRepair,
    'This version of Platen is older than the fleet allows. Install the version of the other members.',
  ),
  'fleet-terminal-elsewhere': kind(
    'later',
    'Another gateway serves this terminal at the moment.',
    'platen status shows which gateway serves it. It comes back to this gateway when nobody uses it there.',
  ),
  'fleet-terminal-differs': kind(
    'after-repair',
    'The gateways of this printer have different settings.',
    'Another gateway has the serial number of this terminal, with another printer. Only one of the two gateways serves the terminal, so no document prints at both. Give the terminal the same printer on all gateways of its site.',
  ),
  'fleet-config-refused': kind(
    'after-repair',
    'The configuration of this printer could not be changed.',
    "This gateway refuses the new configuration of its fleet, and still uses the earlier configuration. Correct the mistake in the message: in the pushed directory, in the gateway's own file, or in fleet.signers.",
  ),
  'fleet-forgot': kind(
    'after-repair',
    problemSentences.othersAreAsked,
    'The engine knows less than its members. Possible reasons: a backup was restored; a standby without the last changes took over; or a member printed alone without the engine. All members report what they have printed. Until then Platen asks people before it prints a document that the engine does not know. Start all members, or retire members that will not come back.',
  ),
} as const;
