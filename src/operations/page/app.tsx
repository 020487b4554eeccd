/** The whole page: its questions to the agent, the screen for the address, and the header above it. */
import type { FleetAnswer } from '../ui/answers.ts';
import type { AgentLink, Said } from './agent-link.ts';
import { Header, Warnings } from './parts/header.tsx';
import type { OwnStatus } from './own-status.ts';
import type { Place } from './place.ts';
import { usePlace } from './place.ts';
import { Conditions } from './screens/conditions.tsx';
import { Gateway } from './screens/gateway.tsx';
import { Gateways } from './screens/gateways.tsx';
import { Message } from './screens/message.tsx';
import { Release } from './screens/release.tsx';
import { Terminal } from './screens/terminal.tsx';
import { UnsettledPrints } from './screens/unsettled.tsx';
import { TokenForm } from './screens/token-form.tsx';
import { tellingBy, Tells } from './gateway-messages.tsx';
import type { Watched } from './watching.ts';
import { useWatched } from './watching.ts';

export function App({ link }: { readonly link: AgentLink }) {
  const place = usePlace();
  const fleet = useWatched<FleetAnswer>(link, '/fleet');
  const self = fleet.answer?.gateways.find(({ isSelf }) => isSelf)?.digest.member;
  const own = useWatched<OwnStatus>(link, wantsStatus(place, self) ? '/status' : undefined);
  const hasAnswer = fleet.answer !== undefined;

  async function tryToken(token: string): Promise<Said<unknown>['is']> {
    link.useToken(token);
    const { is } = await link.ask('/fleet');
    if (is === 'token-wanted') link.useToken(undefined);
    else {
      fleet.askNow();
      own.askNow();
    }
    return is;
  }

  function forgetToken(): void {
    link.useToken(undefined);
    fleet.askNow();
  }

  if (fleet.last === 'token-wanted') return <TokenForm onToken={tryToken} />;
  const telling = tellingBy(link, fleet.answer?.mayTell === true, () => {
    fleet.askNow();
    own.askNow();
  });
  return (
    <Tells value={telling}>
      <Header
        {...{ place, self }}
        heardAt={hasAnswer ? fleet.heardAt : undefined}
        onForget={link.hasToken() ? forgetToken : undefined}
      />
      {hasAnswer && <Warnings fleet={fleet} />}
      <main>
        {hasAnswer ? (
          <Screen key={keyOf(place)} {...{ place, link, fleet, own }} />
        ) : (
          <Waiting last={fleet.last} />
        )}
      </main>
    </Tells>
  );
}

interface ScreenProps {
  readonly place: Place;
  readonly link: AgentLink;
  readonly fleet: Watched<FleetAnswer>;
  readonly own: Watched<OwnStatus>;
}

function Screen({ place, link, fleet, own }: ScreenProps) {
  const gateways = fleet.answer?.gateways ?? [];
  const [only, another] = gateways;
  switch (place.screen) {
    case 'gateways':
      // A single gateway needs no list to choose from.
      return only && !another && fleet.answer?.problem === null ? (
        <Gateway seen={only} since={fleet.age} own={own} />
      ) : (
        <Gateways gateways={gateways} since={fleet.age} view={place.view} />
      );
    case 'gateway': {
      const seen = gateways.find(({ digest }) => digest.member === place.member);
      return seen ? (
        <Gateway seen={seen} since={fleet.age} own={own} />
      ) : (
        <Message title="No such gateway">
          No gateway that can be seen from here has this address. It may have left the fleet.
        </Message>
      );
    }
    case 'terminal':
      return <Terminal id={place.id} own={own} />;
    case 'release':
      return <Release {...{ link, gateways }} code={place.code} />;
    case 'unsettled':
      return <UnsettledPrints link={link} />;
    case 'conditions':
      return <Conditions gateways={gateways} own={own} />;
    default:
      return <Message title="No such page">This address leads nowhere.</Message>;
  }
}

function Waiting({ last }: { readonly last: Watched<FleetAnswer>['last'] }) {
  if (last === undefined) return <p class="hint">One moment…</p>;
  return last === 'certificate-wanted' ? (
    <Message title="A certificate is needed">
      This gateway tells nothing to a browser without a certificate of its authority
      (operations.tls.clientCaFile). Install yours in the browser, and load this page again.
    </Message>
  ) : (
    <Message title="This gateway does not answer">
      The page asks again every few seconds. If this goes on, look at the gateway: systemctl status platen.
    </Message>
  );
}

/** True for screens of this gateway that show more than its digest. */
function wantsStatus(place: Place, self: string | undefined): boolean {
  if (place.screen === 'gateway') return place.member === self;
  return place.screen !== 'nowhere' && place.screen !== 'unsettled';
}

/** A screen keeps its state as long as its subject is the same. */
function keyOf(place: Place): string {
  const { screen, ...about } = place;
  return screen === 'gateways' ? screen : screen + JSON.stringify(about);
}
