import type { EpochSeconds } from '../../domain/values.ts';
import type { ClientAuthentication } from '../../oauth/clients/client-authentication.ts';
import { restrictToOriginsOf } from './cross-origin.ts';
import { header } from './request-head.ts';
import { fromState, type Handler, type RequestContext } from './state.ts';

export interface AuthenticateClientDeps {
  readonly clientAuthentication: ClientAuthentication;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly now: () => EpochSeconds;
}

/**
 * Returns a step for the client endpoints, to run after the parameters have been read. It sets `ctx.state.client` and
 * the members that describe how the client authenticated. Afterwards, only scripts from that client's origins can read
 * the response.
 */
export function authenticateClient({ clientAuthentication, addressOf, now }: AuthenticateClientDeps): Handler {
  return async (ctx, next) => {
    const { metadata, once } = ctx.state;
    const result = await clientAuthentication.authenticate({
      authorization: header(ctx, 'authorization'),
      parameters: fromState(ctx, 'parameters'),
      now: now(),
      address: addressOf(ctx),
      metadata,
      once,
      certificate: fromState(ctx, 'clientCertificate'),
    });
    ctx.state.client = result.client;
    ctx.state.authenticationMethod = result.method;
    ctx.state.previousSecretUsed = result.previousSecretUsed;
    if (result.clientKeyId !== undefined) ctx.state.clientKeyId = result.clientKeyId;
    restrictToOriginsOf(ctx, result.client);
    if (result.whenRecorded === undefined) return next();
    ctx.state.authenticationRecorded = result.whenRecorded;
    try {
      await next();
    } finally {
      await result.whenRecorded; // even if a later step refuses the request
    }
  };
}
