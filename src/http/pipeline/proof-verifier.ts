import type { SigningAlgorithm } from '../../domain/values.ts';
import type { DpopProofs } from '../../oauth/dpop/dpop-proofs.ts';
import { publicUrls, type PublicBases } from './dpop-proof.ts';
import type { ProofVerifier } from './sender-check.ts';

/**
 * Creates a verifier for the DPoP proofs in requests to an API.
 * @param bases the public base URLs of the API
 * @param now returns the current time, in seconds since the epoch
 * @param allowedAlgorithms returns the algorithms that a client may sign with, or undefined for all supported ones
 */
export function createProofVerifier(
  proofs: DpopProofs,
  bases: () => PublicBases,
  now: () => number,
  allowedAlgorithms: (clientId: string) => readonly SigningAlgorithm[] | undefined = () => undefined,
): ProofVerifier {
  return {
    accept({ clientId, path, ...request }) {
      const urls = publicUrls(bases(), { path });
      const sender = { client: clientId, caller: request.accessToken };
      return proofs.accept({ ...request, urls, algorithms: allowedAlgorithms(clientId), sender, now: now() });
    },
    nonce: () => proofs.nonce(now()),
  };
}
