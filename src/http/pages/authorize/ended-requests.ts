import {
  AuthorizationError,
  UnusableRequestError,
  type AuthorizationRequest,
} from '../../../oauth/endpoints/authorization-request.ts';
import { credentialForm } from '../../../oauth/refusals/credential-form.ts';
import type { Client } from '../../../projections/clients.ts';
import { message } from '../../../language/message.ts';
import type { TooManyAttemptsError } from '../../../platform/limits/too-many-attempts.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** Returns the error for a request from a removed client. A client id is never reused. */
export function clientRemovedError({ client }: AuthorizationRequest): UnusableRequestError {
  const { clientId, name } = client;
  const { length } = clientId;
  const refusal = { rule: 'client-unknown', form: credentialForm(clientId), length, isSwapped: false } as const;
  return new UnusableRequestError(message('unusable.removed'), refusal, {
    application: name,
  });
}

/**
 * Refuses requests from a disabled client. Users are never redirected to the client, not even with an error.
 * @throws UnusableRequestError if the client is disabled
 */
export function requireEnabledClient({ name, disabledAt }: Pick<Client, 'name' | 'disabledAt'>): void {
  if (disabledAt === undefined) return;
  throw new UnusableRequestError(message('unusable.disabled'), { rule: 'client-disabled' }, { application: name });
}

/**
 * Returns the error for a pushed or signed request that has already been answered. A pushed or signed request leads to
 * at most one grant.
 */
export function requestUsedError({ client }: AuthorizationRequest): UnusableRequestError {
  const text = message('unusable.answered');
  return new UnusableRequestError(text, { rule: 'request-uri-used' }, { application: client.name });
}

/**
 * Returns the error for too many codes issued to one user. The error is reported to the client (RFC 6749 §4.1.2.1),
 * because the redirect URI has been validated.
 */
export function tooManyCodesError(cause: TooManyAttemptsError, request: AuthorizationRequest): AuthorizationError {
  const { limit, retryAfterSeconds } = cause;
  const description = `too many codes have been issued to this user; try again in ${retryAfterSeconds} seconds`;
  const refusal = { rule: 'rate-limit', limit, retryAfterSeconds } as const;
  return new AuthorizationError('temporarily_unavailable', description, refusal, request, { cause });
}

/**
 * Returns the error for a form that is submitted again although the code from its first submission can no longer be
 * returned, for example because the code has been redeemed or has expired.
 */
export function alreadyAnsweredError(): PageError {
  return new PageError(
    409,
    message('consent.answered-title'),
    message('consent.answered'),
    message('consent.answered-advice'),
    { rule: 'request-answered' },
  );
}
