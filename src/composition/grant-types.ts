import { authorizationCodeGrant } from '../oauth/grant-types/authorization-code.ts';
import { clientCredentialsGrant } from '../oauth/grant-types/client-credentials.ts';
import { deviceCodeGrant } from '../oauth/grant-types/device-code.ts';
import type { GrantType } from '../oauth/grant-types/grant-type.ts';
import { jwtBearerGrant } from '../oauth/grant-types/jwt-bearer.ts';
import { passwordGrant } from '../oauth/grant-types/password.ts';
import { tokenExchangeGrant } from '../oauth/grant-types/token-exchange.ts';
import { refreshTokenGrant } from '../oauth/grant-types/refresh-token.ts';

export type GrantTypeDeps = Parameters<typeof authorizationCodeGrant>[0] &
  Parameters<typeof clientCredentialsGrant>[0] &
  Parameters<typeof passwordGrant>[0] &
  Parameters<typeof deviceCodeGrant>[0] &
  Parameters<typeof tokenExchangeGrant>[0] &
  Parameters<typeof jwtBearerGrant>[0] &
  Parameters<typeof refreshTokenGrant>[0];

/** Creates the grant types of the token endpoint. */
export function createGrantTypes(deps: GrantTypeDeps): readonly GrantType[] {
  return [
    authorizationCodeGrant(deps),
    clientCredentialsGrant(deps),
    passwordGrant(deps),
    deviceCodeGrant(deps),
    tokenExchangeGrant(deps),
    jwtBearerGrant(deps),
    refreshTokenGrant(deps),
  ];
}
