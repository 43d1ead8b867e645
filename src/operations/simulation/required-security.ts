import type { ClientAuthenticationMethod } from '../../domain/client-authentication.ts';
import { decodeEvent, type EventOf } from '../../domain/events.ts';
import { effectiveSecurity } from '../../domain/security-profile.ts';
import { FAPI2_ALGORITHMS, type SecurityProfile } from '../../domain/security-settings.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import { FAPI2_METHODS, withFapi2Defaults, withoutDefaults } from '../../oauth/clients/fapi2-rules.ts';
import { oauthError, type OAuthError } from '../../oauth/endpoints/errors.ts';
import { requireDpopProof } from '../../oauth/endpoints/required-dpop-proof.ts';
import { pushProblem } from '../../oauth/requests/effective-requests.ts';
import { tokenFormat } from '../../oauth/resources/token-terms.ts';
import type { Client } from '../../projections/clients.ts';
import type { ResourceServers } from '../../projections/resources.ts';
import { newRefusal, toRefusal, type Difference } from './outcome.ts';
import type { SimulatedSettings } from './simulated-settings.ts';
import type { TokenRequest } from './token-requests.ts';

/** The requirements of the changed settings and of a profile that are not in the clients' registrations. */
export interface RequiredSecurity {
  /** Returns the client with the simulated profile, unless it has a profile of its own. */
  clientWithProfile(client: Client): Client;
  /** Returns the refusal of an authorization request that should have been pushed but was not. */
  pushProblem(client: Client, code: EventOf<'AuthorizationCodeIssued'>['data']): OAuthError | undefined;
  /**
   * Returns the outcome of the client's authentication in a pushed request, device authorization, token exchange or
   * JWT bearer grant. The log does not record the method for these requests.
   */
  unrecordedAuthenticationOutcome(client: Client): AuthenticationOutcome;
  /** Returns the outcome of the client's authentication in a token request. */
  authenticationOutcome(client: Client, request: TokenRequest): AuthenticationOutcome;
  /** Returns the refusal of a token request whose client authenticated as required, or may have done so. */
  refusalOf(client: Client, request: TokenRequest, authentication: 'unknown' | undefined): Difference | undefined;
  /** Remembers how the client authenticated in the request that appended the event. */
  apply(event: RecordedEvent): void;
}

/**
 * A refusal, undefined if the authentication would be accepted, or `unknown` if the client had several methods and the
 * log does not record which one was used.
 */
type AuthenticationOutcome = Difference | 'unknown' | undefined;

/** A limit this low is enough, because a request's assertion is recorded just before its tokens. */
const REMEMBERED_ASSERTIONS = 1_000;

/** @param resources the resource servers at the time of the request */
export function createRequiredSecurity(
  changedSettings: SimulatedSettings,
  profile: SecurityProfile | null,
  resources: Pick<ResourceServers, 'all'>,
): RequiredSecurity {
  const assertions = new Map<string, SigningAlgorithm>();
  const getsProfile = ({ security }: Client): boolean => profile !== null && security.profile === null;

  function methodOutcome(client: Client, mayBeAssertion: boolean): AuthenticationOutcome {
    const { allowed, forbidden } = partitionMethods(client);
    if (!getsProfile(client) || forbidden.length === 0) return undefined;
    const isUnknown = mayBeAssertion ? allowed.length > 0 : allowed.some((method) => method !== 'private_key_jwt');
    return isUnknown ? 'unknown' : authenticationRefusal(forbidden);
  }

  return {
    clientWithProfile: (client) => (getsProfile(client) ? withProfile(client, profile) : client),

    pushProblem(client, { pushed }) {
      const isPushed = pushed === true || effectiveSecurity(client, {}).pushedRequest !== null;
      return pushProblem(this.clientWithProfile(client), isPushed, changedSettings);
    },

    unrecordedAuthenticationOutcome: (client) => methodOutcome(client, true),

    authenticationOutcome(client, { events: [{ requestId }] }) {
      const algorithm = assertions.get(requestId ?? '');
      if (algorithm === undefined || !getsProfile(client)) return methodOutcome(client, false);
      return FAPI2_ALGORITHMS.includes(algorithm)
        ? undefined
        : toRefusal(oauthError({ rule: 'profile-requires', what: 'signature', seen: algorithm }));
    },

    refusalOf(client, { kind, data: { access } }, authentication) {
      if (getsProfile(client) && kind === 'password') return passwordRefusal(client);
      const clientWithProfile = this.clientWithProfile(client);
      try {
        // If the method is unknown, the client may have used a certificate and needed no proof.
        if (authentication === undefined) requireDpopProof(clientWithProfile, access.confirmation, changedSettings);
        if (getsProfile(client))
          tokenFormat(
            resources.all().filter(({ uri }) => access.resource?.includes(uri) === true),
            clientWithProfile,
          );
        return undefined;
      } catch (error) {
        return toRefusal(error);
      }
    },

    apply(event) {
      if (profile === null || event.type !== 'ClientAssertionAccepted' || event.requestId === null) return;
      const decoded = decodeEvent(event);
      if (decoded.type !== 'ClientAssertionAccepted') return;
      assertions.set(event.requestId, decoded.data.algorithm);
      const [oldest] = assertions.keys();
      if (assertions.size > REMEMBERED_ASSERTIONS && oldest !== undefined) assertions.delete(oldest);
    },
  };
}

/**
 * Returns the client as the profile requires it to be: confidential, and with only the authentication methods that the
 * profile allows, or with `private_key_jwt` if it allows none of the client's methods.
 */
function withProfile(client: Client, profile: SecurityProfile | null): Client {
  const { allowed } = partitionMethods(client);
  const methods: readonly ClientAuthenticationMethod[] = allowed.length === 0 ? ['private_key_jwt'] : allowed;
  const { accessTokenAlgorithm } = withFapi2Defaults(withoutDefaults(client));
  return {
    ...client,
    clientType: 'confidential',
    accessTokenAlgorithm,
    authentication: { ...client.authentication, methods },
    security: { ...client.security, profile },
  };
}

function partitionMethods({ authentication: { methods } }: Pick<Client, 'authentication'>) {
  return {
    allowed: methods.filter((method) => FAPI2_METHODS.includes(method)),
    forbidden: methods.filter((method) => !FAPI2_METHODS.includes(method)),
  };
}

function authenticationRefusal(methods: readonly ClientAuthenticationMethod[]): Difference {
  return newRefusal(
    'client-method-not-allowed',
    methods.includes('none') ? 'the application did not authenticate' : `the application authenticated with a secret`,
    'Authenticate with a key or a certificate, and register it: client update --auth-method private_key_jwt --jwks.',
  );
}

function passwordRefusal({ grantTypes }: Client): Difference {
  const registered = grantTypes.filter((grant) => grant !== 'password');
  const { rule, difference } = toRefusal(
    oauthError({ rule: 'client-not-registered-for', grantType: 'password', registered }),
  );
  return newRefusal(rule, difference, 'Use the authorization code grant: the profile forbids the password grant.');
}
