import type { Middleware, ParameterizedContext } from 'koa';
import type { ClientAuthenticationMethod } from '../../domain/client-authentication.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import type { Role } from '../../domain/events.ts';
import type { KeyId } from '../../domain/values.ts';
import type { Once } from '../../event-store/once.ts';
import type { Language } from '../../language/languages.ts';
import type { Text } from '../../language/message.ts';
import type { Parameters } from '../../oauth/endpoints/parameters.ts';
import type { GrantType } from '../../oauth/grant-types/grant-type.ts';
import type { RefusalRule } from '../../oauth/refusals/refusal.ts';
import type { PresentedCertificate } from '../../platform/certificates/presented-certificate.ts';
import type { Client } from '../../projections/clients.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Form } from './form.ts';
import type { PrincipalState } from './principal-state.ts';
import type { PathParameters } from './route-table.ts';
import type { WebSession } from './web-session.ts';

/** The members of `ctx.state` that pipeline steps set for later steps. */
export interface RequestState extends PrincipalState {
  /** The id of the request, which is also in log lines and in the `X-Request-Id` header of the response. */
  requestId: string;
  /** The request metadata, which is recorded in the envelope of every event that this request causes. */
  metadata: { readonly requestId: string; readonly traceparent?: string | undefined };
  /** The endpoint that matched the request; absent if no endpoint matched. */
  endpoint?: Endpoint;
  pathParameters?: PathParameters;
  /**
   * Whether this node has caught up with the shared log after a first refusal. A second refusal is then final. Set by
   * `confirmRefusal`.
   */
  isRefusalConfirmed?: boolean;
  /** Runs effects once, even if the request is processed more than once; set by `retryWhenOutdated`. */
  once: Once;

  webSession: WebSession;
  /** The user whom `requireLogin` admitted, for the error page if reading the session fails later. */
  admittedUser?: { readonly username: string; readonly roles: readonly Role[] };
  /** The form in the body, once it has been read. */
  form?: Form;
  /** The file in a form with a file field; empty if the user chose no file. */
  file?: Buffer;
  /** The form as it was sent, still encoded. */
  encodedForm?: string;

  /** The JSON in the body of a client registration or update request, once it has been read. */
  clientMetadata?: Readonly<Record<string, unknown>>;
  /** The parameters of a request to a client endpoint, once they have been read. */
  parameters?: Parameters;
  /** Returns the certificate that the client has presented. The first call reads it. */
  clientCertificate?: () => PresentedCertificate;
  /** The authenticated client at a client endpoint. */
  client?: Client;
  /** The method that the client authenticated with. */
  authenticationMethod?: ClientAuthenticationMethod;
  /** Whether the client authenticated with its previous secret. */
  previousSecretUsed?: boolean;
  /** The id of the registered key in the certificate that the client authenticated with. */
  clientKeyId?: KeyId;
  /** Resolves when the event that records the client's authentication is durable. No response is sent before that. */
  authenticationRecorded?: Promise<void>;
  /** The key or certificate that the client has proven it possesses. The issued tokens are bound to it. */
  confirmation?: Confirmation;
  /** The id of the client whose access token authenticated an introspection request. */
  bearerClientId?: string;
  /** The client whose access token failed to authenticate an introspection request. */
  refusedBearer?: { readonly clientId: string | null; readonly isLive: boolean };
  /** The grant type of a token request. */
  grantType?: GrantType;
  /** The name of the grant type, once the token endpoint has issued a token. */
  issuedGrantType?: string;
  /** Whether the token endpoint has issued an ID token for this request. */
  hasIdToken?: boolean;

  /**
   * Shows the form of this request again with a message, instead of an error page. Set by the routes of rate-limited
   * forms.
   */
  showFormAgain?: (message: Text, status: number) => void;

  /** The language that the application requested for the user; empty if it requested none that this server offers. */
  requestedLanguage?: Language | '';

  /** The OAuth error code of a refusal. */
  errorCode?: string;
  /** The rule that refused the request. */
  rule?: RefusalRule;
  /** Returns the client that a refusal of this request concerns. Called only if the request is refused. */
  refusalSubject?: () => RefusalSubject;

  /** Whether the request was passed to routers mounted after this application, which may have sent the response. */
  isPassedToMountedRouters?: boolean;
}

/** The client that a refused request came from, or claims to come from. */
export interface RefusalSubject {
  readonly clientId: string | null;
  /** Whether the request was authenticated as that client. */
  readonly isAuthenticated: boolean;
  /** The secrets in the request, which must not be stored. */
  readonly secrets: readonly string[];
}

export type RequestContext = ParameterizedContext<RequestState>;
export type Handler = Middleware<RequestState>;

/**
 * Returns a member of `ctx.state` that an earlier step has set.
 * @throws Error if the pipeline lacks that step
 */
export function fromState<Name extends keyof RequestState>(
  { state }: Pick<RequestContext, 'state'>,
  name: Name,
): NonNullable<RequestState[Name]> {
  const value = state[name];
  if (value === undefined || value === null) throw new Error(`no earlier step has set ctx.state.${name}`);
  return value;
}
