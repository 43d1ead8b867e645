import { areSameResources, type Resources } from '../../domain/resource.ts';
import { unreachable } from '../../domain/values.ts';
import type { SecurityProfile } from '../../domain/security-settings.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import { readAuthorizationRequest, type AuthorizationRequest } from '../../oauth/endpoints/authorization-request.ts';
import { implicitConsent } from '../../oauth/endpoints/consent.ts';
import type { OAuthError } from '../../oauth/endpoints/errors.ts';
import { noResourceLeftError, remainingResources } from '../../oauth/endpoints/requested-resources.ts';
import type { Client } from '../../projections/clients.ts';
import { plainResources } from '../../oauth/resources/known-resources.ts';
import { authorizationParameters, issueCode, NO_MANAGED_GRANTS, tokenCommand } from './commands.ts';
import type { InitialState } from './initial-state.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import { createRequiredSecurity } from './required-security.ts';
import { authorizationSettings, resourceUris, parseResources, type SimulatedSettings } from './simulated-settings.ts';
import type { RecordedRequest, RequestOf } from './recorded-requests.ts';
import {
  adviceFor,
  compareExchange,
  compareResponses,
  describeRefusal,
  isAfterSimulatedExpiry,
  outdatedCodeRefusal,
  type TokenRequest,
} from './token-requests.ts';
import { withRequirement, type LoginRequirement } from './login-requirement.ts';
import {
  newDifference,
  newRefusal,
  requestOutcome,
  toRefusal,
  type Difference,
  type RequestOutcome,
  type SimulationStep,
} from './outcome.ts';
import { createSimulatedClients, documentRefusal } from './simulated-clients.ts';
import { createSimulatedGrants, EMPTY_GRANT, type SimulatedGrant } from './simulated-grants.ts';

/** Simulates the next request in log order. Returns undefined if requests of its kind are not simulated. */
export type Simulator = (request: RecordedRequest) => Promise<RequestOutcome | undefined>;

const UNCHANGED: SimulationStep = { differences: [], followsFrom: undefined };

export function createSimulator(deps: {
  readonly changedSettings: SimulatedSettings;
  readonly requirement: LoginRequirement;
  /** The profile that every client without one would have had; null if all clients keep their registrations. */
  readonly profile: SecurityProfile | null;
  readonly initialState: InitialState;
  readonly log: Pick<EventLog, 'readStreamBackwards'>;
  readonly issuer: string;
  /** Finds the rule for a domain at the end of the log. */
  readonly findRule: Parameters<typeof documentRefusal>[2];
}): Simulator {
  const { changedSettings, requirement, profile, initialState, issuer, findRule } = deps;
  const clients = createSimulatedClients(initialState.clients, changedSettings);
  const grants = createSimulatedGrants(deps.log, initialState.grants);
  const server = { issuer, resourceServers: initialState.resources };
  const security = createRequiredSecurity(changedSettings, profile, initialState.resources);

  /** Finds the client as it would have been registered, with the simulated profile. */
  function findSimulatedClient(clientId: string): Client | undefined {
    const client = clients.find(clientId);
    return client && security.clientWithProfile(client);
  }

  /** Parses a request under the simulated settings, unless it fails even under the unchanged settings. */
  function parseSimulatedRequest(
    request: RequestOf<'authorization'>,
  ): AuthorizationRequest | Difference | 'unchanged' | 'client refused' {
    const { code } = request.data;
    const parameters = authorizationParameters(code);
    const parse = (
      findClient: (clientId: string) => Client | undefined,
      settings: SimulatedSettings,
      problem?: OAuthError,
    ): AuthorizationRequest | Difference => {
      try {
        const uris = resourceUris(settings, server, code.resource ?? []);
        return readAuthorizationRequest(
          parameters,
          findClient(code.clientId),
          authorizationSettings(settings, code),
          plainResources(uris),
          NO_MANAGED_GRANTS,
          problem,
        );
      } catch (error) {
        return toRefusal(error);
      }
    };
    const client = clients.find(code.clientId);
    const clientRefusal = client && documentRefusal(client, changedSettings, findRule);
    if (clientRefusal !== undefined) return clientRefusal;
    // A request without a scope had authorization details, which are encrypted in the log.
    if (code.scope.length > 0 && !('outcome' in parse(clients.find, {})))
      return parse(findSimulatedClient, changedSettings, client && security.pushProblem(client, code));
    return clients.refusalOf(code.clientId) === undefined ? 'unchanged' : 'client refused';
  }

  function authorizationStep(request: RequestOf<'authorization'>): SimulationStep {
    const {
      events,
      data: { consent, code },
    } = request;
    const grant = EMPTY_GRANT;
    const parsed = parseSimulatedRequest(request);
    const authentication = code.pushed === true ? unrecordedAuthentication(code.clientId) : undefined;
    if (parsed === 'client refused') return followCause(grant, request, clients.refusalOf(code.clientId));
    if (parsed === 'unchanged' || consent.basis === 'password') return unchangedStep(grant, request);
    if ('outcome' in parsed) return refuse(grant, request, parsed);
    if (typeof authentication === 'object') return refuse(grant, request, authentication);
    const basis =
      consent.basis === 'asked'
        ? 'asked'
        : simulateConsent(
            { ...parsed, prompt: new Set(), approvalPrompt: consent.basis === 'remembered' ? 'auto' : 'force' },
            request,
          );
    grants.advance(grant, events, grants.decide(issueCode(request, parsed, basis, changedSettings), grant).events);
    return {
      differences: [
        ...(basis === consent.basis
          ? []
          : [
              newDifference(
                'consent-required',
                'the user would have been asked for consent; with prompt=none, the request would have been refused',
                'After consent_required, send the request again without prompt=none.',
              ),
            ]),
        ...(parsed.redirectUri === code.redirectUri
          ? []
          : [
              newDifference(
                'redirect-uri',
                `the code would have been sent to ${parsed.redirectUri}`,
                'Send redirect_uri with each authorization request.',
              ),
            ]),
      ],
      followsFrom: undefined,
      hasUnknownAuthentication: authentication === 'unknown',
    };
  }

  /** Simulates only resource servers, token lifetimes and client authentication. */
  function deviceOrExchangeStep(
    request: RequestOf<'device-authorization' | 'token-exchange' | 'jwt-bearer'>,
  ): SimulationStep {
    const { clientId, resource = [] } = 'device' in request.data ? request.data.device : request.data.access;
    const isRefused = clients.find(clientId) === undefined && clients.refusalOf(clientId) !== undefined;
    if (isRefused) return followCause(EMPTY_GRANT, request, clients.refusalOf(clientId));
    try {
      parseResources(changedSettings, server, resource);
    } catch (error) {
      return refuse(EMPTY_GRANT, request, toRefusal(error));
    }
    const authentication = unrecordedAuthentication(clientId);
    if (typeof authentication === 'object') return refuse(EMPTY_GRANT, request, authentication);
    return {
      ...unchangedStep(EMPTY_GRANT, request),
      differences: compareExchange(request, changedSettings),
      hasUnknownAuthentication: authentication === 'unknown',
    };
  }

  function unrecordedAuthentication(clientId: string): ReturnType<typeof security.unrecordedAuthenticationOutcome> {
    const client = clients.find(clientId);
    return client && security.unrecordedAuthenticationOutcome(client);
  }

  function simulateConsent(
    parsed: AuthorizationRequest,
    { events: [first], data: { code } }: RequestOf<'authorization'>,
  ): 'asked' | 'remembered' | 'skipped' {
    return implicitConsent(parsed, code.userId, recordedSecond(first), initialState.grants, {}) ?? 'asked';
  }

  async function tokenStep(request: TokenRequest): Promise<SimulationStep> {
    const [first] = request.events;
    const { clientId } = request.data.access;
    const startsGrant = request.kind === 'password' || request.kind === 'client-credentials';
    const grant = startsGrant ? EMPTY_GRANT : await grants.find(first);
    if (clients.find(clientId) === undefined && clients.refusalOf(clientId) !== undefined)
      return followCause(grant, request, clients.refusalOf(clientId));
    if (grant.refusedBy !== undefined) return followCause(grant, request, grant.refusedBy);
    const client = clients.find(clientId);
    const clientRefusal = client && documentRefusal(client, changedSettings, findRule);
    if (clientRefusal !== undefined) return refuse(grant, request, clientRefusal);
    const authentication = client && security.authenticationOutcome(client, request);
    if (typeof authentication === 'object') return refuse(grant, request, authentication);
    const securityRefusal = client && security.refusalOf(client, request, authentication);
    if (securityRefusal !== undefined) return refuse(grant, request, securityRefusal);
    const { code } = request.kind === 'redemption' ? grant.state : { code: null };
    const codeRefusal = outdatedCodeRefusal(code, client, findSimulatedClient(clientId), changedSettings);
    if (codeRefusal !== undefined) return refuse(grant, request, codeRefusal);
    const resources = simulateResources(request, grant);
    if ('outcome' in resources) return refuse(grant, request, resources);
    const { refusal, events } = grants.decide(tokenCommand(request, grant, resources, changedSettings), grant);
    if (refusal !== undefined)
      return refuse(grant, request, newRefusal(refusal, describeRefusal(refusal, request, grant), adviceFor(refusal)));
    if (request.kind !== 'client-credentials') grants.advance(grant, request.events, events);
    return {
      differences: compareResponses(request, events, changedSettings),
      followsFrom: undefined,
      isLateRefresh: isAfterSimulatedExpiry(request, grant),
      hasUnknownAuthentication: authentication === 'unknown',
    };
  }

  /** A redemption or refresh that covered all resources of its grant is assumed to have specified none of them. */
  function simulateResources({ kind, data }: TokenRequest, grant: SimulatedGrant): Resources | Difference {
    const [{ resource = [] }, { resource: grantedResources }] = [data.access, grant];
    const usesGrant = kind !== 'password' && kind !== 'client-credentials';
    try {
      const coversAllResources = usesGrant && areSameResources(resource, grantedResources);
      const requested = coversAllResources ? [] : parseResources(changedSettings, server, resource);
      if (!usesGrant) return requested;
      const uris = resourceUris(changedSettings, server, grantedResources);
      return (
        remainingResources(requested, grantedResources, uris) ?? toRefusal(noResourceLeftError(grantedResources, uris))
      );
    } catch (error) {
      return toRefusal(error);
    }
  }

  function refuse(grant: SimulatedGrant, request: RecordedRequest, refusal: Difference): SimulationStep {
    if (request.kind !== 'client-credentials') grants.reject(grant, request.events, refusal);
    return { differences: [refusal], followsFrom: undefined };
  }

  function followCause(grant: SimulatedGrant, request: RecordedRequest, cause: Difference | undefined): SimulationStep {
    if (cause !== undefined && request.kind !== 'client-credentials') grants.reject(grant, request.events, cause);
    return { differences: [], followsFrom: cause };
  }

  function unchangedStep(grant: SimulatedGrant, { events }: RecordedRequest): SimulationStep {
    grants.advance(grant, events, []);
    return UNCHANGED;
  }

  const toOutcome = ({ events: [first] }: RecordedRequest, clientId: string, step: SimulationStep): RequestOutcome =>
    requestOutcome(first, clientId, clients.nameOf(clientId), step);

  function registrationOutcome(request: RequestOf<'registration' | 'update'>): RequestOutcome {
    const [event] = request.events;
    const clientId = event.stream.slice('client-'.length);
    const cause = clients.find(clientId) === undefined ? clients.refusalOf(clientId) : undefined;
    const difference =
      request.kind === 'registration'
        ? clients.register(clientId, request.data.registered, event)
        : clients.update(clientId, request.data.updated, event);
    const differences = difference === undefined ? [] : [difference];
    return toOutcome(request, clientId, { differences, followsFrom: cause });
  }

  return async (request) => {
    switch (request.kind) {
      case 'authorization':
        return toOutcome(
          request,
          request.data.code.clientId,
          withRequirement(requirement, request, authorizationStep(request)),
        );
      case 'device-authorization':
        return toOutcome(
          request,
          request.data.device.clientId,
          withRequirement(requirement, request, deviceOrExchangeStep(request)),
        );
      case 'token-exchange':
      case 'jwt-bearer':
        return toOutcome(request, request.data.access.clientId, deviceOrExchangeStep(request));
      case 'redemption':
      case 'device-redemption':
      case 'refresh':
      case 'refresh-without-rotation':
      case 'password':
      case 'client-credentials':
        return toOutcome(request, request.data.access.clientId, await tokenStep(request));
      case 'registration':
      case 'update':
        return registrationOutcome(request);
      case 'other':
        for (const event of request.events) {
          clients.apply(event);
          grants.apply(event);
          security.apply(event);
          initialState.resources.apply(event);
        }
        return undefined;
      default:
        return unreachable(request);
    }
  };
}
