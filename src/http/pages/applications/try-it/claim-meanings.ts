import { USER_CLAIMS, type UserClaim } from '../../../../domain/profile.ts';
import { message, type Text } from '../../../../language/message.ts';
import { CLAIM_NAMES } from '../../authorize/claim-names.ts';

/** The meaning of a claim of an ID token or of userinfo, in a sentence for developers. */
export interface ClaimMeaning {
  readonly claim: string;
  readonly meaning: Text;
}

const PROTOCOL_CLAIMS: Readonly<Record<string, string>> = {
  iss: 'The server that issued the token.',
  sub: 'Identifies the user. Store this, because user names and e-mail addresses can change owners.',
  aud: 'The application that the token is for.',
  azp: 'The application that requested the token.',
  exp: 'When the token expires.',
  iat: 'When the token was issued.',
  auth_time: 'When the user logged in.',
  nonce: 'The nonce of the authorization request, so that a token cannot be used in another login.',
  acr: 'How strong the login was: pwd is a password, mfa adds a code, phr is a passkey, which cannot be phished.',
  amr:
    'How the user logged in: pwd is a password, otp a code, mfa that two steps were needed; pop is a key, and user ' +
    'that the device recognized the user.',
  at_hash: 'Half of the hash of the access token, which ties the two tokens together.',
  c_hash: 'Half of the hash of the code.',
  client_id: 'The application that the token was issued to.',
  scope: 'What the token allows.',
  jti: 'Identifies the token.',
  sid: 'The session of the login. A logout token names the same one.',
};

const USER_MEANINGS: Partial<Readonly<Record<UserClaim, string>>> = {
  preferred_username: 'The user name. Do not identify users by it: sub never changes.',
  email: 'The e-mail address. Do not identify users by it: sub never changes.',
  email_verified: 'Whether the user has shown that they read mails to this address.',
  phone_number_verified: 'This server does not verify phone numbers.',
  updated_at: 'When the user’s profile last changed.',
  groups: 'The names of the user’s groups, with the scope groups.',
};

/** One for each claim that this server can return. */
export const CLAIM_MEANINGS: readonly ClaimMeaning[] = [
  ...Object.entries(PROTOCOL_CLAIMS).map(([claim, meaning]) => ({ claim, meaning })),
  ...USER_CLAIMS.map((claim) => ({
    claim,
    meaning: USER_MEANINGS[claim] ?? message('claims.of-user', { claim: message(CLAIM_NAMES[claim]) }),
  })),
];
