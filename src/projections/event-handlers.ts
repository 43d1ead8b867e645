import { decodeEvent, type EventOf, type EventType } from '../domain/events.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';

type ProjectionName =
  | 'access-tokens'
  | 'activity'
  | 'clients'
  | 'grants'
  | 'groups'
  | 'logouts'
  | 'passkeys'
  | 'sessions'
  | 'signing-keys'
  | 'users';

/**
 * The projections that each type of event changes. This is the one place to enter a new event. The compiler then asks
 * each projection in its row for a handler, and accepts none from the others.
 */
const CHANGED_PROJECTIONS = {
  ConsentGiven: ['grants', 'logouts'],
  AuthorizationCodeIssued: ['grants'],
  AuthorizationCodeRedeemed: [],
  AccessTokenIssued: ['access-tokens', 'activity', 'clients', 'grants', 'signing-keys'],
  IdTokenIssued: ['signing-keys'],
  RefreshTokenIssued: ['grants'],
  RefreshTokenRotated: ['access-tokens', 'grants'],
  GrantSummarized: [],
  GrantRevoked: ['access-tokens', 'grants'],
  ClientRegistered: ['activity', 'clients', 'signing-keys'],
  ClientUpdated: ['clients', 'signing-keys'],
  ClientSecretRotated: ['clients'],
  ClientSecretRehashed: ['clients'],
  ClientRemoved: ['activity', 'clients', 'grants', 'logouts'],
  UserRegistered: ['users'],
  UserProfileChanged: ['users'],
  PasswordChanged: ['grants', 'logouts', 'sessions', 'users'],
  PasswordRehashed: ['users'],
  UserDisabled: ['grants', 'logouts', 'sessions', 'users'],
  UserEnabled: ['grants', 'sessions', 'users'],
  UserErased: ['grants', 'logouts', 'passkeys', 'sessions', 'users'],
  UserRolesChanged: ['users'],
  PasskeyAdded: ['passkeys', 'users'],
  PasskeyRemoved: ['grants', 'logouts', 'passkeys', 'sessions', 'users'],
  SessionStarted: ['sessions'],
  SessionEnded: ['grants', 'logouts', 'sessions'],
  AllSessionsEnded: ['grants', 'logouts', 'sessions', 'users'],
  LogoutDelivered: ['logouts'],
  LogoutDeliveryFailed: ['logouts'],
  GroupCreated: ['groups'],
  SigningKeyIntroduced: ['signing-keys'],
  SigningKeyRetired: ['signing-keys'],
  ClockSetBack: ['clients', 'grants', 'logouts', 'sessions'],
} as const satisfies Readonly<Record<EventType, readonly ProjectionName[]>>;

type EventsThatChange<Name extends ProjectionName> = {
  [Type in EventType]: Name extends (typeof CHANGED_PROJECTIONS)[Type][number] ? Type : never;
}[EventType];

type Handlers<Name extends ProjectionName> = {
  readonly [Type in EventsThatChange<Name>]: (data: EventOf<Type>['data'], event: RecordedEvent) => void;
};

/**
 * Calls the handler of an event's type. Nothing happens for events that do not change the projection.
 * @returns a function that throws InvalidEvent for a type or version that this release does not know
 */
export function handleEvents<Name extends ProjectionName>(handlers: Handlers<Name>): (event: RecordedEvent) => void {
  const byType = new Map<string, (data: never, event: RecordedEvent) => void>(Object.entries(handlers));
  return (event) => {
    const { type, data } = decodeEvent(event);
    byType.get(type)?.(data as never, event);
  };
}
