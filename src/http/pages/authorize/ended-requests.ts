import {
  UnusableAuthorizationRequest,
  type AuthorizationRequest,
} from '../../../oauth/endpoints/authorization-request.ts';
import { credentialForm } from '../../../oauth/refusals/credential-form.ts';
import type { Client } from '../../../projections/clients.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** Ids of removed clients stay taken. */
export function clientRemoved({ client }: AuthorizationRequest): UnusableAuthorizationRequest {
  const { clientId, name } = client;
  const { length } = clientId;
  const refusal = { rule: 'client-unknown', form: credentialForm(clientId), length, isSwapped: false } as const;
  return new UnusableAuthorizationRequest('The application was removed from this server.', refusal, {
    application: name,
  });
}

/** @throws UnusableAuthorizationRequest the client is disabled: nobody is sent there, not even with an error */
export function requireEnabledClient({ name, disabledAt }: Pick<Client, 'name' | 'disabledAt'>): void {
  if (disabledAt === undefined) return;
  throw new UnusableAuthorizationRequest(
    'An administrator has disabled the application on this server.',
    { rule: 'client-disabled' },
    { application: name },
  );
}

/** A sealed request leads to one grant. */
export function requestUsed({ client }: AuthorizationRequest): UnusableAuthorizationRequest {
  const message = 'The application has received the answer to this request already. It can be used once.';
  return new UnusableAuthorizationRequest(message, { rule: 'request-uri-used' }, { application: client.name });
}

/** The form was submitted before, and its code has been redeemed or has expired. */
export function alreadyAnswered(): PageError {
  return new PageError(
    409,
    'You have already answered this request',
    'The application received your first answer. Nothing was changed.',
    'Go back to the application. If it is still waiting, start again there.',
    { rule: 'request-answered' },
  );
}
