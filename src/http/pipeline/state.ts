import type { Middleware, ParameterizedContext } from 'koa';
import type { Once } from '../../event-store/once.ts';
import type { PrincipalState } from './principal-state.ts';
import type { RefusalRule } from '../../oauth/refusals/refusal.ts';
import type { Form } from './form.ts';
import type { WebSession } from './web-session.ts';

/** All that middleware may leave on `ctx.state`. */
export interface RequestState extends PrincipalState {
  /** In the answer's `X-Request-Id` and the log lines. */
  requestId: string;
  /** The same with the caller's trace: what goes into the envelope of every event of this request. */
  metadata: { readonly requestId: string; readonly traceparent?: string | undefined };
  /** The client that has authenticated at one of the protocol's endpoints. */
  clientId?: string;
  webSession: WebSession;
  /** What this request does once, however often it is decided; only where it may be decided again. */
  once: Once;
  /** The form in the body, once it has been read. */
  form?: Form;
  /** At the token endpoint, once it has answered with a token. */
  grantType?: string;
  /** That none of our own routes took the request: the answer is somebody else's. */
  isMountedApp?: boolean;
  /** The code of a refusal in the protocol's words. */
  errorCode?: string;
  /** The rule that refused. */
  rule?: RefusalRule;
  /** Whom a refusal of this request is about, as far as is known; asked only if there is one. */
  refusalSubject?: () => {
    readonly clientId: string | null;
    readonly isProven: boolean;
    readonly secrets: readonly string[];
  };
}

export type RequestContext = ParameterizedContext<RequestState>;
export type Handler = Middleware<RequestState>;
