import type { LoadRequest } from '../load/protocol.ts';
import { bearerGet, formPost } from './http-text.ts';

const NO_VALUES = { use: 'none' } as const;

export function clientCredentialsRequest(authorization: string): LoadRequest {
  return {
    prefix: formPost('/o/token/', authorization, 'grant_type=client_credentials'),
    suffix: '',
    values: NO_VALUES,
    expects: '"token_type":"Bearer"',
    returnsToken: true,
  };
}

/** Prepares requests that redeem each of `codes` once. */
export function codeRequest(authorization: string, redirectUri: string, codes: readonly string[]): LoadRequest {
  const form = `grant_type=authorization_code&redirect_uri=${encodeURIComponent(redirectUri)}&code=`;
  return tokenRequest(authorization, form, { use: 'each', list: codes });
}

/** Prepares requests that redeem each of `codes` once, and expect an ID token in each response. */
export function openIdRequest(authorization: string, redirectUri: string, codes: readonly string[]): LoadRequest {
  return { ...codeRequest(authorization, redirectUri, codes), expects: '"id_token":"' };
}

/** Prepares requests that start a chain of refreshes with each of `refreshTokens`. */
export function refreshRequest(authorization: string, refreshTokens: readonly string[]): LoadRequest {
  return tokenRequest(authorization, 'grant_type=refresh_token&refresh_token=', { use: 'chain', list: refreshTokens });
}

/** Prepares a request for the password grant, which makes the server hash the password. */
export function passwordRequest(authorization: string, username: string, password: string): LoadRequest {
  const form = new URLSearchParams({ grant_type: 'password', username, password }).toString();
  return {
    prefix: formPost('/o/token/', authorization, form),
    suffix: '',
    values: NO_VALUES,
    expects: '"refresh_token":"',
    returnsToken: true,
  };
}

export function bearerRequest(token: string, username: string): LoadRequest {
  return {
    prefix: bearerGet('/users/1/', token),
    suffix: '',
    values: NO_VALUES,
    expects: `"username":"${username}"`,
    returnsToken: false,
  };
}

export function introspectionRequest(authorization: string, token: string): LoadRequest {
  return {
    prefix: formPost('/o/introspect/', authorization, `token=${token}`),
    suffix: '',
    values: NO_VALUES,
    expects: '"active":true',
    returnsToken: false,
  };
}

/** Prepares requests that exchange each of `subjects` for a narrower token, with `actor` as the actor token. */
export function exchangeRequest(authorization: string, actor: string, subjects: readonly string[]): LoadRequest {
  const form = `${exchangeForm({ actor_token: actor, actor_token_type: ACCESS_TOKEN }).toString()}&subject_token=`;
  return { ...tokenRequest(authorization, form, { use: 'each', list: subjects }), expects: '"issued_token_type":"' };
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

export function exchangeForm(parameters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: ACCESS_TOKEN,
    scope: 'read',
    ...parameters,
  });
}

function tokenRequest(
  authorization: string,
  form: string,
  values: Exclude<LoadRequest['values'], { readonly use: 'none' }>,
): LoadRequest {
  const [first] = values.list;
  if (first === undefined) throw new Error('there are no values to send');
  return {
    prefix: formPost('/o/token/', authorization, form, form.length + first.length),
    suffix: '',
    values,
    expects: '"refresh_token":"',
    returnsToken: true,
  };
}
