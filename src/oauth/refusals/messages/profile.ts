import { message, type Text } from '../../../language/message.ts';
import { wire, type OAuthErrorCode, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

interface Requirement {
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** The clause of the FAPI 2.0 Security Profile. */
  readonly clause: string;
  readonly expected: Text;
  readonly seen: Text;
  readonly advice: Text;
}

const REQUIREMENTS: Readonly<Record<RefusalOf<'profile-requires'>['what'], Requirement>> = {
  pkce: {
    error: 'invalid_request',
    description: 'code_challenge with code_challenge_method=S256 is required',
    clause: '5.3.2.2',
    expected: message('refusal.profile.requirements.pkce.expected'),
    seen: message('refusal.profile.requirements.pkce.seen'),
    advice: message('refusal.profile.requirements.pkce.advice'),
  },
  'https-redirect': {
    error: 'invalid_request',
    description: 'the redirect_uri must use https',
    clause: '5.3.2.2',
    expected: message('refusal.profile.requirements.https-redirect.expected'),
    seen: message('refusal.profile.requirements.https-redirect.seen'),
    advice: message('refusal.profile.requirements.https-redirect.advice'),
  },
  'redirect-uri': {
    error: 'invalid_request',
    description: 'redirect_uri is required',
    clause: '5.3.2.2',
    expected: message('refusal.profile.requirements.redirect-uri.expected'),
    seen: message('refusal.profile.requirements.redirect-uri.seen'),
    advice: message('refusal.profile.requirements.redirect-uri.advice'),
  },
  signature: {
    error: 'invalid_client',
    description: 'the client assertion must be signed with PS256, ES256 or EdDSA',
    clause: '5.4.1',
    expected: message('refusal.profile.requirements.signature.expected'),
    seen: message('refusal.profile.requirements.signature.seen'),
    advice: message('refusal.profile.requirements.signature.advice'),
  },
};

/** Messages about requests that are refused only because of the client's security profile. */
export const PROFILE_MESSAGES: ProtocolMessagesFor<'profile-requires'> = {
  'profile-requires': ({ what, seen: actual }) => {
    const { error, description, clause, expected, seen, advice } = REQUIREMENTS[what];
    return {
      wire: wire(error, `${description} (FAPI 2.0 Security Profile, section ${clause})`),
      rule: message('refusal.profile-requires.rule', { clause }),
      expected,
      seen: actual ?? seen,
      advice,
    };
  },
};
