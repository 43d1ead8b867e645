import type { GrantEvent, Grant } from '../../domain/authorization-grant.ts';
import type { EventOf } from '../../domain/events.ts';
import { areSameResources } from '../../domain/resource.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import { LIFETIME_RULE } from './findings.ts';
import { newDifference, newRefusal, type Difference } from './outcome.ts';
import type { RequestOf } from './recorded-requests.ts';
import type { SimulatedGrant } from './simulated-grants.ts';
import { codeRules, type SimulatedSettings } from './simulated-settings.ts';
import { english } from '../../language/english.ts';
import { codeViolation } from '../../oauth/grant-types/code-rules.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';
import type { Client } from '../../projections/clients.ts';

/** A token request of a kind that is simulated together with its grant. */
export type TokenRequest = RequestOf<
  'redemption' | 'device-redemption' | 'refresh' | 'refresh-without-rotation' | 'password' | 'client-credentials'
>;

/** A recorded lifetime may be up to this much too short, because its record is written shortly after the request. */
const MAX_RECORDING_DELAY_SECONDS = 5;

/** Describes why the credential in the request would have been refused. */
export function describeRefusal(refusal: string, request: TokenRequest, { state }: SimulatedGrant): string {
  const [credential, expiresAt] = usedCredential(request, state);
  return refusal.endsWith('expired') && typeof expiresAt === 'number'
    ? `the ${credential} would have expired ${requestTime(request) - expiresAt} s before it was used`
    : `the ${credential} would have been invalid`;
}

function usedCredential({ kind }: TokenRequest, { code, deviceCode, refresh }: SimulatedGrant['state']) {
  if (kind === 'redemption') return ['code', code?.expiresAt] as const;
  return kind === 'device-redemption'
    ? (['device code', deviceCode?.expiresAt] as const)
    : (['refresh token', refresh?.expiresAt] as const);
}

/** Returns the time of the request, as precisely as it is recorded. */
function requestTime(request: TokenRequest): EpochSeconds {
  return request.kind === 'refresh' ? request.data.rotated.rotatedAt : recordedSecond(request.events[0]);
}

/** Returns advice for the application about a refusal that depends on the state of its grant. */
export function adviceFor(refusal: string): string {
  return refusal.endsWith('expired') ? 'Send the request sooner.' : 'Let the user authorize the application again.';
}

/** Returns the differences between the recorded and the simulated access token. */
export function compareResponses(
  request: TokenRequest,
  simulatedEvents: readonly GrantEvent[],
  { accessTokenLifetimeSeconds }: SimulatedSettings,
): readonly Difference[] {
  const { access } = request.data;
  const simulatedAccess =
    simulatedEvents.find((event): event is EventOf<'AccessTokenIssued'> => event.type === 'AccessTokenIssued')?.data ??
    access;
  const [recordedUris, simulatedUris] = [access.resource ?? [], simulatedAccess.resource ?? []];
  return [
    ...lifetimeDifference(access.expiresAt - requestTime(request), accessTokenLifetimeSeconds),
    ...(areSameResources(recordedUris, simulatedUris)
      ? []
      : [
          newDifference(
            'resource',
            `the access token would have been for ${simulatedUris.join(' ')} instead of ${recordedUris.join(' ')}`,
            'Request access only to resource servers known to this server.',
          ),
        ]),
  ];
}

function lifetimeDifference(recordedSeconds: number, simulatedSeconds: number | undefined): readonly Difference[] {
  if (
    simulatedSeconds === undefined ||
    (simulatedSeconds >= recordedSeconds && simulatedSeconds <= recordedSeconds + MAX_RECORDING_DELAY_SECONDS)
  )
    return [];
  return [
    newDifference(
      LIFETIME_RULE,
      `the access token would have been valid for ${simulatedSeconds} s instead of ${recordedSeconds} s`,
      'Request the next access token when expires_in seconds have elapsed.',
    ),
  ];
}

/**
 * Returns the differences between the token's recorded lifetime and the changed setting. A longer lifetime is not
 * reported, because it may have no effect: an exchanged token may expire with its subject token, and a token for an
 * assertion may expire at the issuer's limit.
 */
export function compareExchange(
  { kind, events: [first], data }: RequestOf<'device-authorization' | 'token-exchange' | 'jwt-bearer'>,
  { accessTokenLifetimeSeconds: simulatedSeconds = Infinity }: SimulatedSettings,
): readonly Difference[] {
  if (kind === 'device-authorization') return [];
  const recordedSeconds = data.access.expiresAt - recordedSecond(first);
  return simulatedSeconds < recordedSeconds ? lifetimeDifference(recordedSeconds, simulatedSeconds) : [];
}

/** Reports whether the request refreshed a valid access token that would already have expired in the simulation. */
export function isAfterSimulatedExpiry(request: TokenRequest, { accessToken: access }: SimulatedGrant): boolean {
  if ((request.kind !== 'refresh' && request.kind !== 'refresh-without-rotation') || access === null) return false;
  const refreshedAt = requestTime(request);
  return access.simulatedExpiresAt <= refreshedAt && refreshedAt < access.expiresAt;
}

/**
 * Returns the refusal of a code that was issued before the time window, or undefined if the changed settings allow the
 * code.
 * @param code null if the request has none
 * @param simulatedClient the client as it would have been registered
 */
export function outdatedCodeRefusal(
  code: Grant['code'],
  client: Client | undefined,
  simulatedClient: Client | undefined,
  changedSettings: SimulatedSettings,
): Difference | undefined {
  if (code === null || client === undefined || simulatedClient === undefined) return undefined;
  const findViolation = (codeClient: Client, settings: SimulatedSettings) =>
    codeViolation(code, codeClient, codeRules(settings, code.redirectUri));
  const violation =
    findViolation(client, {}) === undefined ? findViolation(simulatedClient, changedSettings) : undefined;
  return (
    violation &&
    newRefusal(violation.refusal.rule, english.text(violation.message), english.text(explain(violation.refusal).advice))
  );
}
