import { decodeEvent, type DomainEvent, type EventOf, type EventType } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

type EventData<Type extends EventType> = EventOf<Type>['data'];
type RequestData<Kind extends string, Types extends Readonly<Record<string, EventType>>> = {
  readonly kind: Kind;
  readonly data: { readonly [Name in keyof Types]: EventData<Types[Name]> };
};

/** A successful request, reconstructed from its events. Requests of kind `other` are not simulated. */
export type RecordedRequest = { readonly events: readonly [RecordedEvent, ...RecordedEvent[]] } & (
  | RequestData<'authorization', { consent: 'ConsentGiven'; code: 'AuthorizationCodeIssued' }>
  | RequestData<
      'redemption',
      { redeemed: 'AuthorizationCodeRedeemed'; access: 'AccessTokenIssued'; refresh: 'RefreshTokenIssued' }
    >
  | RequestData<'device-authorization', { consent: 'ConsentGiven'; device: 'DeviceAuthorized' }>
  | RequestData<
      'device-redemption',
      { redeemed: 'DeviceCodeRedeemed'; access: 'AccessTokenIssued'; refresh: 'RefreshTokenIssued' }
    >
  | RequestData<'password', { consent: 'ConsentGiven'; access: 'AccessTokenIssued'; refresh: 'RefreshTokenIssued' }>
  | RequestData<'client-credentials', { access: 'AccessTokenIssued' }>
  | RequestData<'token-exchange', { exchanged: 'TokenExchanged'; access: 'AccessTokenIssued' }>
  | RequestData<'jwt-bearer', { redeemed: 'AssertionRedeemed'; access: 'AccessTokenIssued' }>
  | RequestData<'refresh', { rotated: 'RefreshTokenRotated'; access: 'AccessTokenIssued' }>
  /** The refresh token stays the same, because only this client can use it. */
  | RequestData<'refresh-without-rotation', { access: 'AccessTokenIssued' }>
  | RequestData<'registration', { registered: 'ClientRegistered' }>
  | RequestData<'update', { updated: 'ClientUpdated' }>
  | { readonly kind: 'other' }
);
export type RequestOf<Kind extends RecordedRequest['kind']> = Extract<RecordedRequest, { readonly kind: Kind }>;

/** Returns a function that groups the events of a log into requests. The events of one append must be adjacent. */
export function createRequestReader(): (event: RecordedEvent) => readonly RecordedRequest[] {
  let pendingEvents: [RecordedEvent, ...RecordedEvent[]] | undefined;
  return (event) => {
    const previous = pendingEvents;
    const continuesPrevious = previous !== undefined && previous[0].stream === event.stream;
    const events: typeof pendingEvents = continuesPrevious ? [...previous, event] : [event];
    const incompleteRequests: readonly RecordedRequest[] =
      previous === undefined || continuesPrevious ? [] : [{ kind: 'other', events: previous }];
    pendingEvents = isComplete(events) ? undefined : events;
    return pendingEvents === undefined ? [...incompleteRequests, readRequest(events)] : incompleteRequests;
  };
}

function isComplete([first, second, ...rest]: readonly [RecordedEvent, ...RecordedEvent[]]): boolean {
  switch (first.type) {
    case 'ConsentGiven':
      return second?.type === 'AuthorizationCodeIssued' || second?.type === 'DeviceAuthorized' || rest.length > 0;
    case 'AuthorizationCodeRedeemed':
    case 'DeviceCodeRedeemed':
      return rest.length > 0;
    case 'RefreshTokenRotated':
    case 'TokenExchanged':
    case 'AssertionRedeemed':
      return second !== undefined;
    default:
      return true;
  }
}

function readRequest(events: readonly [RecordedEvent, ...RecordedEvent[]]): RecordedRequest {
  const [first, second, third] = events.map(decodeEvent);
  return { events, ...(readTokenRequest(first, second, third) ?? readOtherRequest(first, second)) };
}

type WithoutEvents = RecordedRequest extends infer Request
  ? Request extends RecordedRequest
    ? Omit<Request, 'events'>
    : never
  : never;

function readTokenRequest(first?: DomainEvent, second?: DomainEvent, third?: DomainEvent): WithoutEvents | undefined {
  const access = [first, second].find((event) => event?.type === 'AccessTokenIssued')?.data;
  const refresh = third?.type === 'RefreshTokenIssued' ? third.data : undefined;
  if (access === undefined) return undefined;
  if (first?.type === 'RefreshTokenRotated') return { kind: 'refresh', data: { rotated: first.data, access } };
  if (first?.type === 'TokenExchanged') return { kind: 'token-exchange', data: { exchanged: first.data, access } };
  if (first?.type === 'AssertionRedeemed') return { kind: 'jwt-bearer', data: { redeemed: first.data, access } };
  if (first?.type === 'AccessTokenIssued')
    return { kind: access.userId === null ? 'client-credentials' : 'refresh-without-rotation', data: { access } };
  if (refresh === undefined) return undefined;
  if (first?.type === 'AuthorizationCodeRedeemed')
    return { kind: 'redemption', data: { redeemed: first.data, access, refresh } };
  if (first?.type === 'DeviceCodeRedeemed')
    return { kind: 'device-redemption', data: { redeemed: first.data, access, refresh } };
  return first?.type === 'ConsentGiven'
    ? { kind: 'password', data: { consent: first.data, access, refresh } }
    : undefined;
}

function readOtherRequest(first?: DomainEvent, second?: DomainEvent): WithoutEvents {
  if (first?.type === 'ConsentGiven' && second?.type === 'AuthorizationCodeIssued')
    return { kind: 'authorization', data: { consent: first.data, code: second.data } };
  if (first?.type === 'ConsentGiven' && second?.type === 'DeviceAuthorized')
    return { kind: 'device-authorization', data: { consent: first.data, device: second.data } };
  if (first?.type === 'ClientRegistered') return { kind: 'registration', data: { registered: first.data } };
  if (first?.type === 'ClientUpdated') return { kind: 'update', data: { updated: first.data } };
  return { kind: 'other' };
}
