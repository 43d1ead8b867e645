import { formatDuration, formatList, wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

/** The sender made the proof, so the cause is no secret. */
const invalid = (cause: string) => wire('invalid_dpop_proof', cause);

const FORMS: Readonly<Record<RefusalOf<'dpop-proof-form'>['problem'], string>> = {
  repeated: 'several DPoP headers, or one with a comma',
  malformed: 'something else',
  type: 'another typ, or none',
  critical: 'a header with critical extensions (crit)',
};

const FLOODS: Readonly<Record<RefusalOf<'dpop-proofs-full'>['share'], string>> = {
  caller: 'from this address or with this access token',
  client: 'of this application',
  server: 'of all applications together',
};

const KEYS: Readonly<Record<RefusalOf<'dpop-proof-key'>['problem'], string>> = {
  missing: 'no jwk',
  private: 'a private key',
  unsupported: 'another kind of key, or another size',
  'other-kind': 'a key that does not fit alg',
};

const REQUIRERS: Readonly<Record<RefusalOf<'dpop-proof-missing'>['by'], string>> = {
  client: 'This application requires a proof in each token request (dpop_bound_access_tokens).',
  profile: 'The profile of this application requires a proof in each token request.',
  server: 'This server requires a proof in each token request (requireDpop).',
};

function seenTime({ problem, seconds }: RefusalOf<'dpop-proof-time'>): string {
  if (problem === 'missing') return 'no iat';
  return problem === 'old'
    ? `a proof that is ${formatDuration(seconds)} old`
    : `a proof that is ${formatDuration(seconds)} ahead`;
}

/** Proofs of possession (RFC 9449). */
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
    wire: invalid('a DPoP proof is required'),
    rule: REQUIRERS[by],
    expected: 'a header DPoP with a proof (RFC 9449 §5)',
    seen: 'none',
    advice: 'Create a key, and send a proof with each token request. Many libraries do so on request.',
  }),
  'dpop-proof-form': ({ problem }) => ({
    wire: invalid('the request must have one DPoP header with one JWT of the type dpop+jwt'),
    rule: 'A proof is one signed JWT of its own type in one header (RFC 9449 §4.3).',
    expected: 'one header DPoP with one JWT whose typ is dpop+jwt',
    seen: FORMS[problem],
    advice: 'Let a library build the proof, and look for a proxy or a wrapper that adds a second one.',
  }),
  'dpop-proof-algorithm': ({ seen, allowed }) => ({
    wire: invalid('the algorithm of the DPoP proof is not allowed'),
    rule: 'A proof is signed with an asymmetric algorithm that is allowed for the application (RFC 9449 §4.3).',
    expected: `one of ${formatList(allowed)} as alg`,
    seen,
    advice: 'Sign with one of these. Algorithms with a shared secret (HS256) and none are never accepted.',
  }),
  'dpop-proof-key': ({ problem }) => ({
    wire: invalid('the jwk of the DPoP proof must be a public key that fits its algorithm'),
    rule: 'A proof contains the public half of its key (RFC 9449 §4.2).',
    expected: 'a sound public key as jwk: on P-256, on Ed25519, or RSA with 2048 to 8192 bits',
    seen: KEYS[problem],
    advice:
      problem === 'private'
        ? 'Replace the key, because it has left the application, and send only the public members.'
        : 'Use a key on P-256 with ES256 if nothing speaks against it.',
  }),
  'dpop-proof-signature': () => ({
    wire: invalid('the signature of the DPoP proof is wrong'),
    rule: 'The signature must be right (RFC 9449 §4.3).',
    expected: 'a signature by the key in the proof',
    seen: 'a signature that this key did not make',
    advice: 'Check that nothing alters the proof, and that jwk is the public half of the signing key.',
  }),
  'dpop-proof-method': ({ expected, seen }) => ({
    wire: invalid('htm of the DPoP proof is not the method of the request'),
    rule: 'A proof is for one HTTP method (RFC 9449 §4.3).',
    expected: `${expected} as htm`,
    seen,
    advice: 'Create a proof for each request. The method is in capital letters.',
  }),
  'dpop-proof-address': ({ expected, seen }) => ({
    wire: invalid('htu of the DPoP proof is not the address of the request'),
    rule: 'A proof is for one address (RFC 9449 §4.3). Query and fragment do not count.',
    expected: `${expected} as htu`,
    seen,
    advice:
      'Use the address that the request is sent to. If the server is behind a proxy, its issuer must be its public ' +
      'address.',
  }),
  'dpop-proof-time': (refusal) => ({
    wire: invalid('the DPoP proof is too old or from the future'),
    rule: 'A proof is valid for a short time (RFC 9449 §11.1).',
    expected:
      `iat at most ${formatDuration(refusal.lifetimeSeconds)} ago and at most ` +
      `${formatDuration(refusal.toleranceSeconds)} ahead; exp and nbf, if present, accordingly`,
    seen: seenTime(refusal),
    advice: 'Create a proof for each request, when it is sent. Check the clock of the application.',
  }),
  'dpop-proof-id': ({ most }) => ({
    wire: invalid(`the DPoP proof needs a jti of 1 to ${most} characters`),
    rule: 'A proof has an id, because it is accepted once (RFC 9449 §4.2).',
    expected: `a jti of 1 to ${most} characters`,
    seen: 'none, or a longer one',
    advice: 'Set jti to a random value for each proof.',
  }),
  'dpop-proof-token': ({ seen }) => ({
    wire: invalid('ath of the DPoP proof is not the hash of the access token'),
    rule: 'A proof with an access token names it (RFC 9449 §4.3).',
    expected: 'the base64url SHA-256 of the access token as ath',
    seen: seen === 'none' ? 'no ath' : 'the hash of something else',
    advice: 'Create the proof for the token in the same request.',
  }),
  'dpop-nonce-needed': ({ seen }) => ({
    wire: wire('use_dpop_nonce', 'the DPoP proof needs the nonce in the header DPoP-Nonce of this response'),
    rule: 'The server can require a nonce in the proof (RFC 9449 §8).',
    expected: 'the newest DPoP-Nonce of this server as nonce',
    seen: seen === 'none' ? 'no nonce' : 'a nonce that has expired, or is of another node or an earlier start',
    advice:
      'Send the request again with a proof that contains the nonce. Libraries do so by themselves. With several ' +
      'nodes, the load balancer must send the requests of a client to the same one.',
  }),
  'dpop-proof-replayed': () => ({
    wire: invalid('the DPoP proof was used before'),
    rule: 'A proof is accepted once (RFC 9449 §11.1).',
    expected: 'a new proof',
    seen: 'one with a jti that was used with this key',
    advice: 'Create a proof for each request, also for a retry. If you did, somebody else may have sent a copy first.',
  }),
  'dpop-proofs-full': ({ share }) => ({
    wire: wire('temporarily_unavailable', 'too many DPoP proofs are in use', 503),
    rule: 'The server remembers a limited number of proofs, and accepts none that it could not remember.',
    expected: 'fewer requests with proofs in one and a half minutes',
    seen: `more, ${FLOODS[share]}`,
    advice: 'Try again in a minute. Look for a flood of requests.',
  }),
  'dpop-keys-disagree': () => ({
    wire: wire('invalid_request', 'dpop_jkt is not the thumbprint of the key of the DPoP proof'),
    rule: 'A request that has both a proof and dpop_jkt names the same key in both (RFC 9449 §10.1).',
    expected: 'the thumbprint of the key of the proof as dpop_jkt',
    seen: 'another key',
    advice: 'Leave out dpop_jkt, or compute it from the same key (RFC 7638).',
  }),
};
