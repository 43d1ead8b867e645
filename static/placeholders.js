// The placeholders in the example requests, and advice about how to get their values.

/** The placeholders in the examples, with the keys of the messages that name their values. */
export const PLACEHOLDERS = {
  CLIENT_SECRET: 'running.client-secret',
  CLIENT_ASSERTION: 'running.client-assertion',
  REQUEST_OBJECT: 'running.request-object',
  DPOP_PROOF: 'running.proof',
  REQUEST_URI: 'running.request-uri',
  CODE: 'running.code',
  DEVICE_CODE: 'running.device-code',
  ACCESS_TOKEN: 'running.access-token',
  REFRESH_TOKEN: 'running.refresh-token',
  SUBJECT_TOKEN: 'running.subject-token',
  USERNAME: 'running.username',
  PASSWORD: 'running.password',
  CODE_VERIFIER: 'running.code-verifier',
  CODE_CHALLENGE: 'running.code-challenge',
  STATE_VALUE: 'running.state',
  NONCE_VALUE: 'running.nonce',
};
export const PLACEHOLDER = new RegExp(`(?<![\\w-])(?:${Object.keys(PLACEHOLDERS).join('|')})(?![\\w-])`, 'g');
/** The keys of the messages with advice about a missing value. */
export const HOW_TO_GET = {
  CLIENT_SECRET: 'running.enter-secret',
  CLIENT_ASSERTION: 'running.enter-key',
  REQUEST_OBJECT: 'running.enter-key',
  DPOP_PROOF: 'running.no-proofs',
  REQUEST_URI: 'running.push-first',
  CODE: 'running.ask-first',
  DEVICE_CODE: 'running.codes-first',
  CODE_VERIFIER: 'running.verifier-first',
  ACCESS_TOKEN: 'running.access-token-first',
  REFRESH_TOKEN: 'running.refresh-token-first',
  SUBJECT_TOKEN: 'running.enter-subject-token',
  USERNAME: 'running.enter-username',
  PASSWORD: 'running.enter-password',
};

/** The characters of credentials. Any other could end a quoted string in one of the languages. */
const CREDENTIAL = /^[\w.~+/=:-]+$/;
export const isCredential = (value) => CREDENTIAL.test(value ?? '');
const KINDS = { gls: 'CLIENT_SECRET', glc: 'CODE', gld: 'DEVICE_CODE', gla: 'ACCESS_TOKEN', glr: 'REFRESH_TOKEN' };

/** Replaces the values that the server generated for one page with placeholders. */
export const toTemplate = (text, { verifier, challenge, state, nonce }) =>
  text
    .replaceAll(verifier, 'CODE_VERIFIER')
    .replaceAll(challenge, 'CODE_CHALLENGE')
    .replaceAll(state, 'STATE_VALUE')
    .replaceAll(nonce, 'NONCE_VALUE');

/** Extracts the values from a pasted text: the address with a code, a token response, or one credential. */
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
