import type { ClientLookup } from '../../oauth/clients/secret-authentication.ts';
import { claimedClientId, headerSecrets } from '../../oauth/clients/presented-credentials.ts';
import { secretParameters } from '../../oauth/endpoints/parameters.ts';
import { header } from './request-head.ts';
import type { Handler, RefusalSubject, RequestContext } from './state.ts';

export interface RefusalSubjectDeps {
  readonly clients: Pick<ClientLookup, 'find'>;
}

/**
 * Returns a step for the client endpoints that attributes a refusal to the authenticated client or, before
 * authentication, to the client that the request identifies. The owners of that client can look up the refusal.
 */
export function attributeRefusals({ clients }: RefusalSubjectDeps): Handler {
  return (ctx, next) => {
    ctx.state.refusalSubject = () => refusalSubject(ctx, clients);
    return next();
  };
}

function refusalSubject(ctx: RequestContext, clients: RefusalSubjectDeps['clients']): RefusalSubject {
  const { client, refusedBearer, parameters } = ctx.state;
  // The body was not read successfully.
  if (parameters === undefined) return { clientId: null, isAuthenticated: false, secrets: [] };
  const authorization = header(ctx, 'authorization');
  const secrets = [...secretParameters(parameters), ...headerSecrets(authorization)];
  if (client !== undefined) {
    const isAuthenticated = client.clientType === 'confidential'; // anyone can send the id of a public client
    return { clientId: client.clientId, isAuthenticated, secrets };
  }
  if (refusedBearer !== undefined)
    return { clientId: refusedBearer.clientId, isAuthenticated: refusedBearer.isLive, secrets };
  const claimedClient = clients.find(claimedClientId(authorization, parameters) ?? '');
  return { clientId: claimedClient?.clientId ?? null, isAuthenticated: false, secrets };
}
