import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/** The error may state the cause, because the caller created the proof. */
const invalidProof = (cause: string) => wire('invalid_dpop_proof', cause);

const FORM_PROBLEMS: Readonly<Record<RefusalOf<'dpop-proof-form'>['problem'], Text>> = {
  repeated: message('refusal.dpop.forms.repeated'),
  malformed: message('refusal.dpop.forms.malformed'),
  type: message('refusal.dpop.forms.type'),
  critical: message('refusal.dpop.forms.critical'),
};

const FULL_SHARES: Readonly<Record<RefusalOf<'dpop-proofs-full'>['share'], Text>> = {
  caller: message('refusal.dpop.floods.caller'),
  client: message('refusal.dpop.floods.client'),
  server: message('refusal.dpop.floods.server'),
};

const KEY_PROBLEMS: Readonly<Record<RefusalOf<'dpop-proof-key'>['problem'], Text>> = {
  missing: message('refusal.dpop.keys.missing'),
  private: message('refusal.dpop.keys.private'),
  unsupported: message('refusal.dpop.keys.unsupported'),
  'other-kind': message('refusal.dpop.keys.other-kind'),
};

const REQUIRED_BY: Readonly<Record<RefusalOf<'dpop-proof-missing'>['by'], Text>> = {
  client: message('refusal.dpop.requirers.client'),
  profile: message('refusal.dpop.requirers.profile'),
  server: message('refusal.dpop.requirers.server'),
};

function describeTime({ problem, seconds }: RefusalOf<'dpop-proof-time'>): Text {
  if (problem === 'missing') return message('refusal.dpop.seen-time');
  return problem === 'old'
    ? message('refusal.dpop.seen-time-2', { duration: durationMessage(seconds) })
    : message('refusal.dpop.seen-time-3', { duration: durationMessage(seconds) });
}

/** Messages about DPoP proofs (RFC 9449). */
export const DPOP_MESSAGES: ProtocolMessagesFor<
  | 'dpop-proof-missing'
  | 'dpop-proof-form'
  | 'dpop-proof-algorithm'
  | 'dpop-proof-key'
  | 'dpop-proof-signature'
  | 'dpop-proof-method'
  | 'dpop-proof-address'
  | 'dpop-proof-time'
  | 'dpop-proof-id'
  | 'dpop-proof-token'
  | 'dpop-nonce-needed'
  | 'dpop-proof-replayed'
  | 'dpop-proofs-full'
  | 'dpop-keys-disagree'
> = {
  'dpop-proof-missing': ({ by }) => ({
    wire: invalidProof('a DPoP proof is required'),
    rule: REQUIRED_BY[by],
    expected: message('refusal.dpop-proof-missing.expected'),
    seen: message('refusal.dpop-proof-missing.seen'),
    advice: message('refusal.dpop-proof-missing.advice'),
  }),
  'dpop-proof-form': ({ problem }) => ({
    wire: invalidProof('the request must have one DPoP header with one JWT of type dpop+jwt'),
    rule: message('refusal.dpop-proof-form.rule'),
    expected: message('refusal.dpop-proof-form.expected'),
    seen: FORM_PROBLEMS[problem],
    advice: message('refusal.dpop-proof-form.advice'),
  }),
  'dpop-proof-algorithm': ({ seen, allowed }) => ({
    wire: invalidProof('the DPoP proof is signed with an algorithm that is not allowed'),
    rule: message('refusal.dpop-proof-algorithm.rule'),
    expected: message('refusal.dpop-proof-algorithm.expected', { allowed: formatList(allowed) }),
    seen,
    advice: message('refusal.dpop-proof-algorithm.advice'),
  }),
  'dpop-proof-key': ({ problem }) => ({
    wire: invalidProof('the jwk of the DPoP proof must be a public key for its algorithm'),
    rule: message('refusal.dpop-proof-key.rule'),
    expected: message('refusal.dpop-proof-key.expected'),
    seen: KEY_PROBLEMS[problem],
    advice:
      problem === 'private' ? message('refusal.dpop-proof-key.advice') : message('refusal.dpop-proof-key.advice-2'),
  }),
  'dpop-proof-signature': () => ({
    wire: invalidProof('the DPoP proof has an invalid signature'),
    rule: message('refusal.dpop-proof-signature.rule'),
    expected: message('refusal.dpop-proof-signature.expected'),
    seen: message('refusal.dpop-proof-signature.seen'),
    advice: message('refusal.dpop-proof-signature.advice'),
  }),
  'dpop-proof-method': ({ expected, seen }) => ({
    wire: invalidProof('htm in the DPoP proof does not match the request method'),
    rule: message('refusal.dpop-proof-method.rule'),
    expected: message('refusal.dpop-proof-method.expected', { expected }),
    seen,
    advice: message('refusal.dpop-proof-method.advice'),
  }),
  'dpop-proof-address': ({ expected, seen }) => ({
    wire: invalidProof('htu in the DPoP proof does not match the request URL'),
    rule: message('refusal.dpop-proof-address.rule'),
    expected: message('refusal.dpop-proof-address.expected', { expected }),
    seen,
    advice: message('refusal.dpop-proof-address.advice'),
  }),
  'dpop-proof-time': (refusal) => ({
    wire: invalidProof('the DPoP proof has no iat, is too old or is from the future'),
    rule: message('refusal.dpop-proof-time.rule'),
    expected: message('refusal.dpop-proof-time.expected', {
      duration: durationMessage(refusal.lifetimeSeconds),
      duration2: durationMessage(refusal.toleranceSeconds),
    }),
    seen: describeTime(refusal),
    advice: message('refusal.dpop-proof-time.advice'),
  }),
  'dpop-proof-id': ({ most }) => ({
    wire: invalidProof(`the DPoP proof needs a jti of 1 to ${most} characters`),
    rule: message('refusal.dpop-proof-id.rule'),
    expected: message('refusal.dpop-proof-id.expected', { limit: most }),
    seen: message('refusal.dpop-proof-id.seen'),
    advice: message('refusal.dpop-proof-id.advice'),
  }),
  'dpop-proof-token': ({ seen }) => ({
    wire: invalidProof('ath in the DPoP proof is not the hash of the access token'),
    rule: message('refusal.dpop-proof-token.rule'),
    expected: message('refusal.dpop-proof-token.expected'),
    seen: seen === 'none' ? message('refusal.dpop-proof-token.seen') : message('refusal.dpop-proof-token.seen-2'),
    advice: message('refusal.dpop-proof-token.advice'),
  }),
  'dpop-nonce-needed': ({ seen }) => ({
    wire: wire('use_dpop_nonce', 'the DPoP proof must contain the nonce in the DPoP-Nonce header of this response'),
    rule: message('refusal.dpop-nonce-needed.rule'),
    expected: message('refusal.dpop-nonce-needed.expected'),
    seen: seen === 'none' ? message('refusal.dpop-nonce-needed.seen') : message('refusal.dpop-nonce-needed.seen-2'),
    advice: message('refusal.dpop-nonce-needed.advice'),
  }),
  'dpop-proof-replayed': () => ({
    wire: invalidProof('the DPoP proof has already been used'),
    rule: message('refusal.dpop-proof-replayed.rule'),
    expected: message('refusal.dpop-proof-replayed.expected'),
    seen: message('refusal.dpop-proof-replayed.seen'),
    advice: message('refusal.dpop-proof-replayed.advice'),
  }),
  'dpop-proofs-full': ({ share }) => ({
    wire: wire('temporarily_unavailable', 'too many DPoP proofs were sent recently; try again later', 503),
    rule: message('refusal.dpop-proofs-full.rule'),
    expected: message('refusal.dpop-proofs-full.expected'),
    seen: message('refusal.dpop-proofs-full.seen', { flood: FULL_SHARES[share] }),
    advice: message('refusal.dpop-proofs-full.advice'),
  }),
  'dpop-keys-disagree': () => ({
    wire: wire('invalid_request', 'dpop_jkt is not the thumbprint of the key in the DPoP proof'),
    rule: message('refusal.dpop-keys-disagree.rule'),
    expected: message('refusal.dpop-keys-disagree.expected'),
    seen: message('refusal.dpop-keys-disagree.seen'),
    advice: message('refusal.dpop-keys-disagree.advice'),
  }),
};
