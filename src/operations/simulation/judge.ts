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
import { brokenByCode } from '../../oauth/grant-types/code-rules.ts';
import { consentWithoutAsking } from '../../oauth/endpoints/consent.ts';
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
  secondOf,
} from './commands.ts';
import { LIFETIME_RULE } from './findings.ts';
import { authorizationSettings, codeRules, knownResources, resourcesNamed, type Changed } from './judged-settings.ts';
import type { RecordedRequest, RequestOf } from './recorded-requests.ts';
import { otherwise, refused, type Difference, type Verdict } from './verdict.ts';
import { createWouldBeClients } from './would-be-clients.ts';
import { createWouldBeGrants, NOTHING_GRANTED, type WouldBeGrant } from './would-be-grants.ts';

/** How things stood when the settings would have been changed. The judge goes on with it, and makes of it what would have been. */
export interface StartingPoint {
  readonly clients: Pick<Clients, 'find' | 'apply'>;
  readonly grants: Pick<Grants, 'covers' | 'apply'>;
}

/** What would have become of each request, asked in the order of the log; undefined for what is none of an application's. */
export type Judge = (request: RecordedRequest) => Promise<Verdict | undefined>;

type Judged = Pick<Verdict, 'differences' | 'followsFrom'> & { readonly isLateRefresh?: boolean };
type Issued = RequestOf<'redemption' | 'refresh' | 'password' | 'client-credentials'>;

/** A record that is written within this time of its request does not make a lifetime look changed. */
const RECORDING_SECONDS = 5;

const AS_IT_WAS: Judged = { differences: [], followsFrom: undefined };

export function createJudge(parts: {
  readonly changed: Changed;
  readonly start: StartingPoint;
  readonly log: Pick<EventLog, 'readStreamBack'>;
  readonly issuer: string;
}): Judge {
  const { changed, start, issuer } = parts;
  const clients = createWouldBeClients(start.clients, changed);
  const grants = createWouldBeGrants(parts.log, start.grants);

  /** The request as it would have been read, or the refusal of it. One that today's rules refuse anyway was good under those of its time. */
  function readAgain({
    said: { code },
  }: RequestOf<'authorization'>): AuthorizationRequest | Difference | 'as it was' | 'not the same client' {
    const parameters = authorizationParameters(code);
    const read = (settings: Changed): AuthorizationRequest | Difference => {
      try {
        const known = knownResources(settings, issuer, code.resource ?? []);
        return readAuthorizationRequest(parameters, clients, authorizationSettings(settings, code), known);
      } catch (error) {
        return refusedBy(error);
      }
    };
    const [then, before] = [read(changed), read({})];
    if (!('outcome' in before)) return then;
    return clients.cutOf(code.clientId) === undefined ? 'as it was' : 'not the same client';
  }

  function authorization(request: RequestOf<'authorization'>): Judged {
    const {
      events,
      said: { consent, code },
    } = request;
    const grant = NOTHING_GRANTED;
    const read = readAgain(request);
    if (read === 'not the same client') return follows(grant, request, clients.cutOf(code.clientId));
    if (read === 'as it was' || consent.basis === 'password') return unchanged(grant, request);
    if ('outcome' in read) return cutOff(grant, request, read);
    const basis =
      consent.basis === 'asked'
        ? 'asked'
        : basisOf(
            { ...read, prompt: new Set(), approvalPrompt: consent.basis === 'remembered' ? 'auto' : 'force' },
            request,
          );
    grants.goOn(grant, events, grants.decide(issueCode(request, read, basis, changed), grant).events);
    return {
      differences: [
        ...(basis === consent.basis
          ? []
          : [otherwise('consent-required', 'the person would have been asked for consent; with prompt=none, refused')]),
        ...(read.redirectUri === code.redirectUri
          ? []
          : [otherwise('redirect-uri', `the code would have gone to ${read.redirectUri}`)]),
      ],
      followsFrom: undefined,
    };
  }

  function basisOf(
    read: AuthorizationRequest,
    { events: [first], said: { code } }: RequestOf<'authorization'>,
  ): 'asked' | 'remembered' | 'skipped' {
    return consentWithoutAsking(read, code.userId, secondOf(first), start.grants) ?? 'asked';
  }

  async function tokens(request: Issued): Promise<Judged> {
    const [first] = request.events;
    const { clientId } = request.said.access;
    const isFirst = request.kind === 'password' || request.kind === 'client-credentials';
    const grant = isFirst ? NOTHING_GRANTED : await grants.find(first);
    if (clients.find(clientId) === undefined && clients.cutOf(clientId) !== undefined)
      return follows(grant, request, clients.cutOf(clientId));
    if (grant.cut !== undefined) return follows(grant, request, grant.cut);
    const outdated = request.kind === 'redemption' ? outdatedCode(request, grant) : undefined;
    if (outdated !== undefined) return cutOff(grant, request, outdated);
    const asked = resourcesAsked(request, grant);
    if ('outcome' in asked) return cutOff(grant, request, asked);
    const { refusal, events } = grants.decide(commandOf(request, grant, asked), grant);
    if (refusal !== undefined) return cutOff(grant, request, refused(refusal, wordsOf(refusal, request, grant)));
    if (request.kind !== 'client-credentials') grants.goOn(grant, request.events, events);
    return {
      differences: answeredOtherwise(request, events),
      followsFrom: undefined,
      isLateRefresh: isLate(request, grant),
    };
  }

  /** A code from before the window that the changed settings do not allow; one from within it they never allowed. */
  function outdatedCode({ said: { access } }: RequestOf<'redemption'>, grant: WouldBeGrant): Difference | undefined {
    const { code } = grant.state;
    const client = clients.find(access.clientId);
    if (code === null || client === undefined) return undefined;
    const brokenBy = (settings: Changed) => brokenByCode(code, client, codeRules(settings, code.redirectUri));
    const broken = brokenBy({}) === undefined ? brokenBy(changed) : undefined;
    return broken && refused(broken.refusal.rule, broken.message);
  }

  /** A redemption or a refresh that has all that its grant is for need not have named it. */
  function resourcesAsked(
    {
      kind,
      said: {
        access: { resource = [] },
      },
    }: Issued,
    grant: WouldBeGrant,
  ): Resources | Difference {
    const isOfGrant = kind === 'redemption' || kind === 'refresh';
    try {
      const isAll = isOfGrant && sameResources(resource, grant.resource);
      const named = isAll ? [] : resourcesNamed(changed, issuer, resource);
      if (!isOfGrant) return named;
      const known = knownResources(changed, issuer, grant.resource);
      return remainingResources(named, grant.resource, known) ?? refusedBy(noResourceLeft(grant.resource, known));
    } catch (error) {
      return refusedBy(error);
    }
  }

  function commandOf(request: Issued, grant: WouldBeGrant, resource: Resources) {
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

  function answeredOtherwise(request: Issued, wouldBe: readonly GrantEvent[]): readonly Difference[] {
    const { access } = request.said;
    const instead =
      wouldBe.find((event): event is EventOf<'AccessTokenIssued'> => event.type === 'AccessTokenIssued')?.data ??
      access;
    const [before, after] = [access.resource ?? [], instead.resource ?? []];
    return [
      ...lifetimeDifference(access.expiresAt - nowOf(request), changed.accessTokenLifetimeSeconds),
      ...(sameResources(before, after)
        ? []
        : [
            otherwise(
              'resource',
              `the access token would have been for ${after.join(' ')} instead of ${before.join(' ')}`,
            ),
          ]),
    ];
  }

  function cutOff(grant: WouldBeGrant, request: RecordedRequest, by: Difference): Judged {
    if (request.kind !== 'client-credentials') grants.cutOff(grant, request.events, by);
    return { differences: [by], followsFrom: undefined };
  }

  function follows(grant: WouldBeGrant, request: RecordedRequest, from: Difference | undefined): Judged {
    if (from !== undefined && request.kind !== 'client-credentials') grants.cutOff(grant, request.events, from);
    return { differences: [], followsFrom: from };
  }

  function unchanged(grant: WouldBeGrant, { events }: RecordedRequest): Judged {
    grants.goOn(grant, events, []);
    return AS_IT_WAS;
  }

  function verdict(
    { events: [{ position }] }: RecordedRequest,
    clientId: string,
    { isLateRefresh = false, ...judged }: Judged,
  ): Verdict {
    return { clientId, application: clients.nameOf(clientId), position, isLateRefresh, ...judged };
  }

  function applicationChanged(request: RequestOf<'registration' | 'update'>): Verdict {
    const [event] = request.events;
    const clientId = event.stream.slice('client-'.length);
    const cut = clients.find(clientId) === undefined ? clients.cutOf(clientId) : undefined;
    const difference =
      request.kind === 'registration'
        ? clients.register(clientId, request.said.registered, event)
        : clients.update(clientId, request.said.updated, event);
    return verdict(request, clientId, { differences: difference === undefined ? [] : [difference], followsFrom: cut });
  }

  return async (request) => {
    switch (request.kind) {
      case 'authorization':
        return verdict(request, request.said.code.clientId, authorization(request));
      case 'redemption':
      case 'refresh':
      case 'password':
      case 'client-credentials':
        return verdict(request, request.said.access.clientId, await tokens(request));
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

function wordsOf(refusal: string, request: Issued, { state }: WouldBeGrant): string {
  const [what, end] =
    request.kind === 'redemption' ? ['code', state.code?.expiresAt] : ['refresh token', state.refresh?.expiresAt];
  return refusal.endsWith('expired') && typeof end === 'number'
    ? `the ${what} would have ended ${nowOf(request) - end} s before it was used`
    : `the ${what} would not have been good`;
}

/** When the request came, as well as its record can tell. */
function nowOf(request: Issued): EpochSeconds {
  return request.kind === 'refresh' ? request.said.rotated.rotatedAt : secondOf(request.events[0]);
}

function lifetimeDifference(before: number, after: number | undefined): readonly Difference[] {
  if (after === undefined || (after >= before && after <= before + RECORDING_SECONDS)) return [];
  return [otherwise(LIFETIME_RULE, `the access token would have lived ${after} s instead of ${before} s`)];
}

function isLate(request: Issued, { access }: WouldBeGrant): boolean {
  if (request.kind !== 'refresh' || access === null) return false;
  const { rotatedAt } = request.said.rotated;
  return access.wouldBe <= rotatedAt && rotatedAt < access.end;
}

/** @throws unknown what no rule refuses with */
function refusedBy(error: unknown): Difference {
  const isRefusal =
    error instanceof OAuthError ||
    error instanceof AuthorizationRefused ||
    error instanceof UnusableAuthorizationRequest;
  if (!isRefusal) throw error;
  return refused(error.refusal.rule, error.message);
}
