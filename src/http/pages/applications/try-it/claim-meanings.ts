import { USER_CLAIMS, type UserClaim } from '../../../../domain/profile.ts';
import type { MessageKey } from '../../../../language/catalog.ts';
import { message, type Message } from '../../../../language/message.ts';
import { CLAIM_NAMES } from '../../authorize/claim-names.ts';

/** The meaning of a claim in a token or userinfo response, as a sentence for developers. */
export interface ClaimMeaning {
  readonly claim: string;
  readonly meaning: Message;
}

const PROTOCOL_CLAIMS: Readonly<Record<string, MessageKey>> = {
  iss: 'claim-meaning.iss',
  sub: 'claim-meaning.sub',
  aud: 'claim-meaning.aud',
  azp: 'claim-meaning.azp',
  exp: 'claim-meaning.exp',
  iat: 'claim-meaning.iat',
  auth_time: 'claim-meaning.auth-time',
  nonce: 'claim-meaning.nonce',
  acr: 'claim-meaning.acr',
  amr: 'claim-meaning.amr',
  at_hash: 'claim-meaning.at-hash',
  c_hash: 'claim-meaning.c-hash',
  client_id: 'claim-meaning.client-id',
  scope: 'claim-meaning.scope',
  jti: 'claim-meaning.jti',
  sid: 'claim-meaning.sid',
};

const USER_MEANINGS: Partial<Readonly<Record<UserClaim, MessageKey>>> = {
  preferred_username: 'claim-meaning.preferred-username',
  email: 'claim-meaning.email',
  email_verified: 'claim-meaning.email-verified',
  phone_number_verified: 'claim-meaning.phone-number-verified',
  updated_at: 'claim-meaning.updated-at',
  groups: 'claim-meaning.groups',
};

/** The meanings of the claims that pages explain: protocol claims, then claims about users. */
export const CLAIM_MEANINGS: readonly ClaimMeaning[] = [
  ...Object.entries(PROTOCOL_CLAIMS).map(([claim, key]) => ({ claim, meaning: message(key) })),
  ...USER_CLAIMS.map((claim) => ({ claim, meaning: meaningOf(claim) })),
];

function meaningOf(claim: UserClaim): Message {
  const key = USER_MEANINGS[claim];
  return key === undefined ? message('claims.of-user', { claim: message(CLAIM_NAMES[claim]) }) : message(key);
}
