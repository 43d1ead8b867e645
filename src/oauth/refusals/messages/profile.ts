import { wire, type OAuthErrorCode, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

interface Requirement {
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** Of the FAPI 2.0 Security Profile. */
  readonly clause: string;
  readonly expected: string;
  readonly seen: string;
  readonly advice: string;
}

const REQUIREMENTS: Readonly<Record<RefusalOf<'profile-requires'>['what'], Requirement>> = {
  pkce: {
    error: 'invalid_request',
    description: 'code_challenge with code_challenge_method=S256 is required',
    clause: '5.3.2.2',
    expected: 'code_challenge and code_challenge_method=S256',
    seen: 'no challenge',
    advice: 'Enable PKCE with S256 in the client library. Keep the verifier for the token request.',
  },
  'https-redirect': {
    error: 'invalid_request',
    description: 'the redirect_uri must use https',
    clause: '5.3.2.2',
    expected: 'a redirect URI with https, also on a loopback address',
    seen: 'another scheme',
    advice: 'Register a redirect URI with https.',
  },
  'redirect-uri': {
    error: 'invalid_request',
    description: 'redirect_uri is required',
    clause: '5.3.2.2',
    expected: 'redirect_uri, also if only one is registered',
    seen: 'no redirect_uri',
    advice: 'Send redirect_uri with each authorization request.',
  },
  signature: {
    error: 'invalid_client',
    description: 'the client assertion must be signed with PS256, ES256 or EdDSA',
    clause: '5.4.1',
    expected: 'PS256, ES256 or EdDSA',
    seen: 'another algorithm',
    advice: 'Sign with one of the expected algorithms. An RSA key can sign with PS256 instead of RS256.',
  },
};

/** Refusals of requests that only a profile forbids. */
export const PROFILE_MESSAGES: ProtocolMessagesFor<'profile-requires'> = {
  'profile-requires': ({ what, seen: found }) => {
    const { error, description, clause, expected, seen, advice } = REQUIREMENTS[what];
    return {
      wire: wire(error, `${description} (FAPI 2.0 Security Profile, section ${clause})`),
      rule: `The application has the profile FAPI 2.0, which requires this (Security Profile §${clause}).`,
      expected,
      seen: found ?? seen,
      advice,
    };
  },
};
