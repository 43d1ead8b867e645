import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { allowExchange, exchangeForToken } from '../../test/support/token-exchange.ts';
import { signForeignToken, trustIssuer } from '../../test/support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/**
 * Redeems an assertion, and exchanges JWTs with and without a JWT as the actor token. Changes the settings of one
 * issuer, and removes another.
 */
export async function recordTrustedIssuers(running: RunningService): Promise<void> {
  const options = { grantTypes: ['jwt-bearer'], redirectUris: [] } as const;
  const client = await running.addClient({ name: 'Presents tokens from other issuers', ...options });
  const user = await running.addUser();
  await trustIssuer(running, client);
  const assertion = await signForeignToken(running);
  await running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
  const broker = await running.addClient({
    name: 'Exchanges tokens from other issuers',
    grantTypes: ['token-exchange'],
    redirectUris: [],
  });
  await allowExchange(running, broker, client);
  const uses = ['subject-token', 'actor-token'];
  await trustIssuer(running, broker, { uses, mapping: 'user-name' }, 'https://people.example');
  await trustIssuer(running, broker, { uses }, 'https://programs.example');
  const firstJwt = await signForeignToken(running, { claims: { iss: 'https://people.example', sub: user.username } });
  const actor = await signForeignToken(running, { claims: { iss: 'https://programs.example' } });
  const tokenTypes = { subject_token_type: TOKEN_TYPES.jwt, actor_token_type: TOKEN_TYPES.jwt };
  await exchangeForToken(running, broker, firstJwt, { ...tokenTypes, actor });
  const secondJwt = await signForeignToken(running, { claims: { iss: 'https://people.example', sub: user.username } });
  await exchangeForToken(running, broker, secondJwt, { subject_token_type: TOKEN_TYPES.jwt });
  await trustIssuer(running, client, {
    keysUri: 'https://issuer.example/keys',
    audience: ['grantlog'],
    uses: ['assertion', 'identity-assertion', 'subject-token', 'actor-token'],
    claims: ['group=a team', '/kubernetes.io/namespace=prod'],
    mapping: 'table',
    users: [`jane@corp.example=${user.username}`],
    clients: [`${client.id} sub=job:7`],
    scope: ['read', 'write'],
  });
  const otherIssuer = await trustIssuer(
    running,
    client,
    { mapping: 'user-name', nameClaim: 'email' },
    'https://idp.example',
  );
  await running.service().trustedIssuerRegistry.remove(otherIssuer, OPERATOR);
}
