import { authorizationGrant } from '../domain/authorization-grant.ts';
import { clock } from '../domain/clock.ts';
import { client } from '../domain/client.ts';
import { changedSettings } from '../domain/changed-settings.ts';
import { clientDomains } from '../domain/client-domains.ts';
import { clientAssertion } from '../domain/client-assertion.ts';
import { decodeEvent, encodeEvent, type DomainEvent } from '../domain/events.ts';
import { exchangePolicy } from '../domain/exchange-policy.ts';
import { group } from '../domain/group.ts';
import { invitation } from '../domain/invitation.ts';
import { resourceServer } from '../domain/resource-server.ts';
import { session } from '../domain/session.ts';
import { signingKeys } from '../domain/signing-keys.ts';
import { trustedIssuer } from '../domain/trusted-issuer.ts';
import { upstreamAccount } from '../domain/upstream-account.ts';
import { upstreamProvider } from '../domain/upstream-provider.ts';
import { user } from '../domain/user.ts';
import { createCommandHandler, type CommandHandler, type EventCodec } from '../event-store/command-handler.ts';
import type { Decider } from '../event-store/decider.ts';
import type { EventLog, RecordedEvent } from '../event-store/event-log.ts';

/** Events are validated when they are written, so they are not validated again when they are read. */
const DOMAIN_CODEC: EventCodec<DomainEvent> = { encode: encodeEvent, decode: decodeEvent };

/** Enough to redeem codes and refresh recently issued tokens without reading from the disk. */
const CACHED_GRANTS = 10_000;

/** Commands on other streams are rarer, and those streams are short. */
const CACHED_STATES = 1_000;

export type CommandHandlers = ReturnType<typeof createCommandHandlers>;

/**
 * Creates one command handler per kind of stream.
 * @param isShared whether other processes append to the log
 */
export function createCommandHandlers(
  log: Pick<EventLog, 'append' | 'readStream' | 'readStreamBackwards'>,
  now: () => number,
  isShared = false,
) {
  const handle = <Command, State, Event extends DomainEvent, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    cachedStates = CACHED_STATES,
  ): CommandHandler<Command, State, Event, Refusal> =>
    // The codec's type cannot express that a stream contains only events of its decider.
    createCommandHandler({
      log,
      decider,
      codec: DOMAIN_CODEC as unknown as EventCodec<Event>,
      now,
      cachedStates,
      isShared,
    });
  const handlers = {
    grants: handle(authorizationGrant, CACHED_GRANTS),
    clients: handle(client),
    clientDomains: handle(clientDomains),
    clientAssertions: handle(clientAssertion),
    users: handle(user),
    groups: handle(group),
    invitations: handle(invitation),
    resources: handle(resourceServer),
    exchangePolicies: handle(exchangePolicy),
    trustedIssuers: handle(trustedIssuer),
    upstreamProviders: handle(upstreamProvider),
    upstreamAccounts: handle(upstreamAccount),
    changedSettings: handle(changedSettings),
    sessions: handle(session),
    clock: handle(clock),
    signingKeys: handle(signingKeys),
  };
  const allHandlers = Object.values(handlers);
  return {
    ...handlers,
    /** Keeps the cached states current on a shared log. */
    follow: (events: readonly RecordedEvent[]): void => allHandlers.forEach(({ follow }) => follow(events)),
  };
}
