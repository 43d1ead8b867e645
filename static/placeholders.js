// The placeholders in the example requests, and advice about how to get their values.

/** The placeholders in the examples, and their names in messages. */
export const PLACEHOLDERS = {
  CLIENT_SECRET: 'client secret',
  CLIENT_ASSERTION: 'client assertion',
  REQUEST_OBJECT: 'signed request',
  DPOP_PROOF: 'proof',
  REQUEST_URI: 'pushed request',
  CODE: 'code',
  DEVICE_CODE: 'device code',
  ACCESS_TOKEN: 'access token',
  REFRESH_TOKEN: 'refresh token',
  SUBJECT_TOKEN: 'token to exchange',
  USERNAME: 'user name',
  PASSWORD: 'password',
  CODE_VERIFIER: 'code verifier',
  CODE_CHALLENGE: 'code challenge',
  STATE_VALUE: 'state',
  NONCE_VALUE: 'nonce',
};
export const PLACEHOLDER = new RegExp(`(?<![\\w-])(?:${Object.keys(PLACEHOLDERS).join('|')})(?![\\w-])`, 'g');
/** The advice about a missing value. */
export const HOW_TO_GET = {
  CLIENT_SECRET: 'Enter the client secret first, at the top of this page.',
  CLIENT_ASSERTION: 'Enter the private key first, at the top of this page.',
  REQUEST_OBJECT: 'Enter the private key first, at the top of this page.',
  DPOP_PROOF: 'This browser can’t make proofs here: that works only over https and on localhost.',
  REQUEST_URI: 'Push a request first.',
  CODE: 'Ask the user first: the code comes from the consent page.',
  DEVICE_CODE: 'Get the codes of a device first, with the request above.',
  CODE_VERIFIER: 'Ask the user first: the code verifier belongs to the request for the code.',
  ACCESS_TOKEN: 'Get an access token first, with a request above.',
  REFRESH_TOKEN: 'Get a refresh token first, with a request above.',
  SUBJECT_TOKEN: 'Enter the token to exchange first.',
  USERNAME: 'Enter a user name first.',
  PASSWORD: 'Enter the password first.',
};

/** The characters of credentials. Any other could end a quoted string in one of the languages. */
const CREDENTIAL = /^[\w.~+/=:-]+$/;
export const isCredential = (value) => CREDENTIAL.test(value ?? '');
const KINDS = { gls: 'CLIENT_SECRET', glc: 'CODE', gld: 'DEVICE_CODE', gla: 'ACCESS_TOKEN', glr: 'REFRESH_TOKEN' };

/** Replaces the values that the server generated for one page by placeholders. */
export const toTemplate = (text, { verifier, challenge, state, nonce }) =>
  text
    .replaceAll(verifier, 'CODE_VERIFIER')
    .replaceAll(challenge, 'CODE_CHALLENGE')
    .replaceAll(state, 'STATE_VALUE')
    .replaceAll(nonce, 'NONCE_VALUE');

/** The kind of a pasted text: the address with a code, a token response, or one credential. */
export function recognize(pasted) {
  const text = pasted.trim();
  const parameters = new URLSearchParams(text.replace(/^[^?]*\?/, '').replace(/#.*/, ''));
  if (parameters.has('code') || parameters.has('error'))
    return { CODE: parameters.get('code'), state: parameters.get('state'), error: parameters.get('error') };
  try {
    const { access_token, refresh_token, id_token, device_code, request_uri, error } = JSON.parse(text);
    return {
      ACCESS_TOKEN: access_token,
      REFRESH_TOKEN: refresh_token,
      DEVICE_CODE: device_code,
      REQUEST_URI: request_uri,
      idToken: id_token,
      error,
    };
  } catch {
    return { [KINDS[text.slice(0, 3)]]: text };
  }
}
