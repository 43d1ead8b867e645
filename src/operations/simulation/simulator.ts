import type { Resources } from '../../domain/resource.ts';
import { sameResources } from '../../domain/resource.ts';
import type { EventOf } from '../../domain/events.ts';
import type { GrantEvent } from '../../domain/authorization-grant.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import {
  AuthorizationRefused,
  readAuthorizationRequest,
  UnusableAuthorizationRequest,
  type AuthorizationRequest,
} from '../../oauth/endpoints/authorization-request.ts';
import { codeViolation } from '../../oauth/grant-types/code-rules.ts';
import { implicitConsent } from '../../oauth/endpoints/consent.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import { noResourceLeft, remainingResources } from '../../oauth/endpoints/requested-resources.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import {
  authorizationParameters,
  grantByPassword,
  grantToClient,
  issueCode,
  redeemCode,
  refreshGrant,
  recordedSecond,
} from './commands.ts';
import { LIFETIME_RULE } from './findings.ts';
import {
  authorizationSettings,
  codeRules,
  knownResources,
  parseResources,
  type SimulatedSettings,
} from './simulated-settings.ts';
import type { RecordedRequest, RequestOf } from './recorded-requests.ts';
import { answeredDifferently, refused, type Difference, type RequestOutcome } from './outcome.ts';
import { createSimulatedClients } from './simulated-clients.ts';
import { createSimulatedGrants, EMPTY_GRANT, type SimulatedGrant } from './simulated-grants.ts';

/** How things stood when the settings would have been changed. The judge goes on with it, and makes of it what would have been. */
export interface InitialState {
  readonly clients: Pick<Clients, 'find' | 'apply'>;
  readonly grants: Pick<Grants, 'covers' | 'apply'>;
}

/** What would have become of each request, asked in the order of the log; undefined for what is none of an application's. */
export type Simulator = (request: RecordedRequest) => Promise<RequestOutcome | undefined>;

type SimulationStep = Pick<RequestOutcome, 'differences' | 'followsFrom'> & { readonly isLateRefresh?: boolean };
type TokenRequest = RequestOf<'redemption' | 'refresh' | 'password' | 'client-credentials'>;

/** A record that is written within this time of its request does not make a lifetime look changed. */
const MAX_RECORDING_DELAY_SECONDS = 5;
const UNCHANGED: SimulationStep = { differences: [], followsFrom: undefined };

export function createSimulator(parts: {
  readonly changed: SimulatedSettings;
  readonly start: InitialState;
  readonly log: Pick<EventLog, 'readStreamBackwards'>;
  readonly issuer: string;
}): Simulator {
  const { changed, start, issuer } = parts;
  const clients = createSimulatedClients(start.clients, changed);
  const grants = createSimulatedGrants(parts.log, start.grants);

  /** A request that today's rules refuse anyway was accepted under the rules of its time. */
  function readAgain(
    request: RequestOf<'authorization'>,
  ): AuthorizationRequest | Difference | 'as it was' | 'not the same client' {
    const { code } = request.data;
    const parameters = authorizationParameters(code);
    const read = (settings: SimulatedSettings): AuthorizationRequest | Difference => {
      try {
        const known = knownResources(settings, issuer, code.resource ?? []);
        return readAuthorizationRequest(parameters, clients, authorizationSettings(settings, code), known);
      } catch (error) {
        return toRefusal(error);
      }
    };
    const [then, before] = [read(changed), read({})];
    if (!('outcome' in before)) return then;
    return clients.refusalOf(code.clientId) === undefined ? 'as it was' : 'not the same client';
  }

  function authorization(request: RequestOf<'authorization'>): SimulationStep {
    const {
      events,
      data: { consent, code },
    } = request;
    const grant = EMPTY_GRANT;
    const read = readAgain(request);
    if (read === 'not the same client') return follows(grant, request, clients.refusalOf(code.clientId));
    if (read === 'as it was' || consent.basis === 'password') return unchanged(grant, request);
    if ('outcome' in read) return cutOff(grant, request, read);
    const basis =
      consent.basis === 'asked'
        ? 'asked'
        : basisOf(
            { ...read, prompt: new Set(), approvalPrompt: consent.basis === 'remembered' ? 'auto' : 'force' },
            request,
          );
    grants.advance(grant, events, grants.decide(issueCode(request, read, basis, changed), grant).events);
    return {
      differences: [
        ...(basis === consent.basis
          ? []
          : [
              answeredDifferently(
                'consent-required',
                'the person would have been asked for consent; with prompt=none, refused',
              ),
            ]),
        ...(read.redirectUri === code.redirectUri
          ? []
          : [answeredDifferently('redirect-uri', `the code would have gone to ${read.redirectUri}`)]),
      ],
      followsFrom: undefined,
    };
  }

  function basisOf(
    read: AuthorizationRequest,
    { events: [first], data: { code } }: RequestOf<'authorization'>,
  ): 'asked' | 'remembered' | 'skipped' {
    return implicitConsent(read, code.userId, recordedSecond(first), start.grants) ?? 'asked';
  }

  async function tokens(request: TokenRequest): Promise<SimulationStep> {
    const [first] = request.events;
    const { clientId } = request.data.access;
    const isFirst = request.kind === 'password' || request.kind === 'client-credentials';
    const grant = isFirst ? EMPTY_GRANT : await grants.find(first);
    if (clients.find(clientId) === undefined && clients.refusalOf(clientId) !== undefined)
      return follows(grant, request, clients.refusalOf(clientId));
    if (grant.refusedBy !== undefined) return follows(grant, request, grant.refusedBy);
    const outdated = request.kind === 'redemption' ? outdatedCode(request, grant) : undefined;
    if (outdated !== undefined) return cutOff(grant, request, outdated);
    const asked = resourcesAsked(request, grant);
    if ('outcome' in asked) return cutOff(grant, request, asked);
    const { refusal, events } = grants.decide(commandOf(request, grant, asked), grant);
    if (refusal !== undefined)
      return cutOff(grant, request, refused(refusal, describeRefusal(refusal, request, grant)));
    if (request.kind !== 'client-credentials') grants.advance(grant, request.events, events);
    return {
      differences: answeredOtherwise(request, events),
      followsFrom: undefined,
      isLateRefresh: isAfterSimulatedExpiry(request, grant),
    };
  }

  /** A code from before the window that the changed settings do not allow; one from within it they never allowed. */
  function outdatedCode({ data: { access } }: RequestOf<'redemption'>, grant: SimulatedGrant): Difference | undefined {
    const { code } = grant.state;
    const client = clients.find(access.clientId);
    if (code === null || client === undefined) return undefined;
    const brokenBy = (settings: SimulatedSettings) =>
      codeViolation(code, client, codeRules(settings, code.redirectUri));
    const broken = brokenBy({}) === undefined ? brokenBy(changed) : undefined;
    return broken && refused(broken.refusal.rule, broken.message);
  }

  function resourcesAsked({ kind, data }: TokenRequest, grant: SimulatedGrant): Resources | Difference {
    const { resource = [] } = data.access;
    const isOfGrant = kind === 'redemption' || kind === 'refresh';
    try {
      const isAll = isOfGrant && sameResources(resource, grant.resource);
      const named = isAll ? [] : parseResources(changed, issuer, resource);
      if (!isOfGrant) return named;
      const known = knownResources(changed, issuer, grant.resource);
      return remainingResources(named, grant.resource, known) ?? toRefusal(noResourceLeft(grant.resource, known));
    } catch (error) {
      return toRefusal(error);
    }
  }

  function commandOf(request: TokenRequest, grant: SimulatedGrant, resource: Resources) {
    switch (request.kind) {
      case 'redemption':
        return redeemCode(request, grant, resource, changed);
      case 'refresh':
        return refreshGrant(request, resource, changed);
      case 'password':
        return grantByPassword(request, resource, changed);
      case 'client-credentials':
      default:
        return grantToClient(request, resource, changed);
    }
  }

  function answeredOtherwise(request: TokenRequest, wouldBe: readonly GrantEvent[]): readonly Difference[] {
    const { access } = request.data;
    const instead =
      wouldBe.find((event): event is EventOf<'AccessTokenIssued'> => event.type === 'AccessTokenIssued')?.data ??
      access;
    const [before, after] = [access.resource ?? [], instead.resource ?? []];
    return [
      ...lifetimeDifference(access.expiresAt - requestTime(request), changed.accessTokenLifetimeSeconds),
      ...(sameResources(before, after)
        ? []
        : [
            answeredDifferently(
              'resource',
              `the access token would have been for ${after.join(' ')} instead of ${before.join(' ')}`,
            ),
          ]),
    ];
  }

  function cutOff(grant: SimulatedGrant, request: RecordedRequest, by: Difference): SimulationStep {
    if (request.kind !== 'client-credentials') grants.reject(grant, request.events, by);
    return { differences: [by], followsFrom: undefined };
  }

  function follows(grant: SimulatedGrant, request: RecordedRequest, from: Difference | undefined): SimulationStep {
    if (from !== undefined && request.kind !== 'client-credentials') grants.reject(grant, request.events, from);
    return { differences: [], followsFrom: from };
  }

  function unchanged(grant: SimulatedGrant, { events }: RecordedRequest): SimulationStep {
    grants.advance(grant, events, []);
    return UNCHANGED;
  }

  function verdict(
    { events: [{ position }] }: RecordedRequest,
    clientId: string,
    { isLateRefresh = false, ...judged }: SimulationStep,
  ): RequestOutcome {
    return { clientId, application: clients.nameOf(clientId), position, isLateRefresh, ...judged };
  }

  function applicationChanged(request: RequestOf<'registration' | 'update'>): RequestOutcome {
    const [event] = request.events;
    const clientId = event.stream.slice('client-'.length);
    const cut = clients.find(clientId) === undefined ? clients.refusalOf(clientId) : undefined;
    const difference =
      request.kind === 'registration'
        ? clients.register(clientId, request.data.registered, event)
        : clients.update(clientId, request.data.updated, event);
    return verdict(request, clientId, { differences: difference === undefined ? [] : [difference], followsFrom: cut });
  }

  return async (request) => {
    switch (request.kind) {
      case 'authorization':
        return verdict(request, request.data.code.clientId, authorization(request));
      case 'redemption':
      case 'refresh':
      case 'password':
      case 'client-credentials':
        return verdict(request, request.data.access.clientId, await tokens(request));
      case 'registration':
      case 'update':
        return applicationChanged(request);
      case 'other':
      default:
        for (const event of request.events) {
          clients.apply(event);
          grants.apply(event);
        }
        return undefined;
    }
  };
}

function describeRefusal(refusal: string, request: TokenRequest, { state }: SimulatedGrant): string {
  const [what, end] =
    request.kind === 'redemption' ? ['code', state.code?.expiresAt] : ['refresh token', state.refresh?.expiresAt];
  return refusal.endsWith('expired') && typeof end === 'number'
    ? `the ${what} would have ended ${requestTime(request) - end} s before it was used`
    : `the ${what} would not have been good`;
}

/** When the request came, as well as its record can tell. */
function requestTime(request: TokenRequest): EpochSeconds {
  return request.kind === 'refresh' ? request.data.rotated.rotatedAt : recordedSecond(request.events[0]);
}

function lifetimeDifference(before: number, after: number | undefined): readonly Difference[] {
  if (after === undefined || (after >= before && after <= before + MAX_RECORDING_DELAY_SECONDS)) return [];
  return [answeredDifferently(LIFETIME_RULE, `the access token would have lived ${after} s instead of ${before} s`)];
}

function isAfterSimulatedExpiry(request: TokenRequest, { accessToken: access }: SimulatedGrant): boolean {
  if (request.kind !== 'refresh' || access === null) return false;
  const { rotatedAt } = request.data.rotated;
  return access.wouldBe <= rotatedAt && rotatedAt < access.end;
}

/** @throws unknown what no rule refuses with */
function toRefusal(error: unknown): Difference {
  const isRefusal =
    error instanceof OAuthError ||
    error instanceof AuthorizationRefused ||
    error instanceof UnusableAuthorizationRequest;
  if (!isRefusal) throw error;
  return refused(error.refusal.rule, error.message);
}
