import type { Context } from 'koa';
import { HEADERS } from '../../config/input-limits.ts';
import { isSameConfirmation, type Confirmation } from '../../domain/confirmation.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import type { ProtocolRefusal } from '../../oauth/refusals/refusal-messages.ts';
import type { RefusalOf } from '../../oauth/refusals/refusal.ts';
import type { PresentedCertificate } from '../../platform/certificates/presented-certificate.ts';
import type { SenderRefusal, TokenScheme } from './principal-state.ts';

/** Verifies the DPoP proofs of requests with an access token (RFC 9449 §7). */
export interface ProofVerifier {
  /**
   * Verifies and accepts a proof. Each proof is accepted only once.
   * @throws OAuthError if the proof is invalid or was used before, or if it cannot be checked now
   */
  accept(request: {
    readonly proof: string;
    readonly method: string;
    readonly path: string;
    readonly accessToken: string;
    /** The client that the token was issued to. */
    readonly clientId: string;
  }): Promise<{ readonly confirmation: Confirmation; readonly nextNonce: string | undefined }>;
  /** Returns the value of the `DPoP-Nonce` header. */
  nonce(): string;
}

export interface SenderContext extends Pick<Context, 'method' | 'path' | 'req' | 'set'> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  state: SenderState;
}

interface SenderState {
  clientCertificate?: () => PresentedCertificate;
  acceptedProof?: { readonly token: string; readonly confirmation: Confirmation };
}

type Problem = RefusalOf<'sender-not-proven'>['problem'];

const NONCE_HEADER = 'DPoP-Nonce';

/**
 * Returns the reason why the sender of a live access token must not use the token (RFC 9449 §7.1, RFC 8705 §3). Returns
 * undefined if the token is not bound and was sent as a bearer token, or if the request proves possession of the key or
 * certificate that the token is bound to.
 * @param verifier undefined if the API accepts no proofs and therefore refuses every token that is bound to a key
 * @throws OAuthError `temporarily_unavailable` if the proof cannot be checked now
 */
export function checkSender(
  ctx: SenderContext,
  { scheme, token }: { readonly scheme: TokenScheme; readonly token: string },
  { confirmation, clientId }: { readonly confirmation?: Confirmation | undefined; readonly clientId: string },
  verifier: ProofVerifier | undefined,
): SenderRefusal | undefined | Promise<SenderRefusal | undefined> {
  const toRefusal = (problem: Problem): SenderRefusal => notProvenRefusal(problem, scheme, clientId);
  if (confirmation?.method === 'jkt') {
    if (scheme === 'Bearer' || verifier === undefined) return toRefusal('sent-as-bearer');
    return checkKey(ctx, token, confirmation, verifier, clientId);
  }
  if (scheme === 'DPoP') return unboundRefusal(clientId);
  return confirmation === undefined ? undefined : checkCertificate(ctx, confirmation, toRefusal);
}

function checkCertificate(
  { state }: SenderContext,
  binding: Confirmation,
  toRefusal: (problem: Problem) => SenderRefusal,
): SenderRefusal | undefined {
  const presentedCertificate = state.clientCertificate?.() ?? { kind: 'none' };
  if (presentedCertificate.kind !== 'valid')
    return toRefusal(presentedCertificate.kind === 'none' ? 'certificate-missing' : 'certificate-refused');
  const { thumbprint } = presentedCertificate.certificate;
  return isSameConfirmation(binding, { method: 'x5t#S256', thumbprint }) ? undefined : toRefusal('another-certificate');
}

async function checkKey(
  ctx: SenderContext,
  token: string,
  binding: Confirmation,
  verifier: ProofVerifier,
  clientId: string,
): Promise<SenderRefusal | undefined> {
  const { dpop } = ctx.headers;
  if (typeof dpop !== 'string' || dpop.length > HEADERS.dpop)
    return notProvenRefusal('proof-missing', 'DPoP', clientId);
  try {
    const confirmation = await acceptProof(ctx, { accessToken: token, proof: dpop, clientId }, verifier);
    return isSameConfirmation(confirmation, binding) ? undefined : notProvenRefusal('another-key', 'DPoP', clientId);
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    const { code, message } = error;
    const refusal = error.refusal as ProtocolRefusal; // the verifier throws only protocol refusals
    if (code === 'use_dpop_nonce') ctx.set(NONCE_HEADER, verifier.nonce());
    return { scheme: 'DPoP', error: code, description: message, refusal, clientId };
  }
}

/** Accepts the proof only once per request, because a route may check its token again after reading the body. */
async function acceptProof(
  ctx: SenderContext,
  credentials: { readonly proof: string; readonly accessToken: string; readonly clientId: string },
  verifier: ProofVerifier,
): Promise<Confirmation> {
  const earlierProof = ctx.state.acceptedProof;
  if (earlierProof?.token === credentials.accessToken) return earlierProof.confirmation;
  const { confirmation, nextNonce } = await verifier.accept({ ...credentials, method: ctx.method, path: ctx.path });
  if (nextNonce !== undefined) ctx.set(NONCE_HEADER, nextNonce);
  ctx.state.acceptedProof = { token: credentials.accessToken, confirmation };
  return confirmation;
}

const DESCRIPTIONS: Readonly<Record<Problem, string>> = {
  'sent-as-bearer': 'The access token is bound to a key and needs a DPoP proof.',
  'proof-missing': 'The request has no readable DPoP proof.',
  'another-key': 'The access token is bound to a different key than the one in the DPoP proof.',
  'certificate-missing': 'The access token is bound to a certificate, but the request has none.',
  'certificate-refused': 'The certificate in the request cannot be accepted.',
  'another-certificate': 'The access token is bound to a different certificate.',
};

function notProvenRefusal(problem: Problem, scheme: TokenScheme, clientId: string): SenderRefusal {
  return {
    scheme,
    error: problem === 'proof-missing' ? 'invalid_dpop_proof' : 'invalid_token',
    description: DESCRIPTIONS[problem],
    refusal: { rule: 'sender-not-proven', problem },
    clientId,
  };
}

function unboundRefusal(clientId: string): SenderRefusal {
  return {
    scheme: 'DPoP',
    error: 'invalid_token',
    description: 'The access token is not bound to a DPoP key, so it must be sent with the Bearer scheme.',
    refusal: { rule: 'token-unbound', needed: 'scheme' },
    clientId,
  };
}
