import type { ClientLookup } from '../../oauth/clients/secret-authentication.ts';
import { claimedClientId, headerSecrets } from '../../oauth/clients/presented-credentials.ts';
import { secretParameters } from '../../oauth/endpoints/parameters.ts';
import { header } from './request-head.ts';
import type { Handler, RefusalSubject, RequestContext } from './state.ts';

export interface RefusalSubjectParts {
  readonly clients: Pick<ClientLookup, 'find'>;
}

/**
 * A step of the client endpoints: attributes a refusal to the authenticated client or, before authentication, to the
 * client that the request identifies. The owners of that client can look the refusal up.
 */
export function attributeRefusals({ clients }: RefusalSubjectParts): Handler {
  return (ctx, next) => {
    ctx.state.refusalSubject = () => refusalSubject(ctx, clients);
    return next();
  };
}

function refusalSubject(ctx: RequestContext, clients: RefusalSubjectParts['clients']): RefusalSubject {
  const { client, refusedBearer, parameters } = ctx.state;
  if (parameters === undefined) return { clientId: null, isProven: false, secrets: [] }; // they could not be read
  const authorization = header(ctx, 'authorization');
  const secrets = [...secretParameters(parameters), ...headerSecrets(authorization)];
  if (client !== undefined) {
    const isProven = client.clientType === 'confidential'; // anyone can send the id of a public client
    return { clientId: client.clientId, isProven, secrets };
  }
  if (refusedBearer !== undefined) return { clientId: refusedBearer.clientId, isProven: refusedBearer.isLive, secrets };
  const claimed = clients.find(claimedClientId(authorization, parameters) ?? '');
  return { clientId: claimed?.clientId ?? null, isProven: false, secrets };
}
