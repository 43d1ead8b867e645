import type { SigningAlgorithm } from '../../domain/values.ts';
import type { DpopProofs } from '../../oauth/dpop/dpop-proofs.ts';
import { publicAddresses, type PublicBases } from './dpop-proof.ts';
import type { ProofVerifier } from './sender-check.ts';

/**
 * Creates a verifier of the proofs of requests to an API.
 * @param bases the public base addresses of the API
 * @param now seconds since the epoch
 * @param algorithmsOf the algorithms that a client may sign with; all that are supported if undefined
 */
export function proofVerifier(
  proofs: DpopProofs,
  bases: () => PublicBases,
  now: () => number,
  algorithmsOf: (clientId: string) => readonly SigningAlgorithm[] | undefined = () => undefined,
): ProofVerifier {
  return {
    accept({ clientId, path, ...request }) {
      const addresses = publicAddresses(bases(), { path });
      const user = { client: clientId, caller: request.accessToken };
      return proofs.accept({ ...request, addresses, algorithms: algorithmsOf(clientId), user, now: now() });
    },
    nonce: () => proofs.nonce(now()),
  };
}
