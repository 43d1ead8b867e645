import type { Text } from '../../language/message.ts';
import type { Certificate } from './certificate.ts';

/** Why a certificate does not chain to an authority. */
export type ChainProblem =
  | { readonly problem: 'unknown-issuer' }
  | { readonly problem: 'purpose' | 'purpose-of-issuer' }
  | { readonly problem: 'weak-issuer'; readonly weakness: Text }
  | { readonly problem: 'unchecked-extension'; readonly id: string };

/** Intermediates beyond this number are ignored; the others are checked at most once against each issuer. */
export const MAX_INTERMEDIATES = 8;

interface Issuer {
  readonly certificate: Certificate;
  /** The number of intermediates allowed below it. */
  readonly maxIntermediates: number;
}

/**
 * Returns the reason why `certificate` is not a client certificate that chains to one of the `authorities`, directly or
 * through `intermediates` (RFC 5280 §6), or undefined if it is one. All issuers in a chain must be strong, valid at
 * `now`, and allowed to issue certificates for clients: an issuer's purposes limit those of the certificates below it.
 * The caller must check the validity and strength of `certificate` itself. Chains are built starting at the
 * authorities, so that no key chosen by a client is used before an authority has vouched for it. Revocation is not
 * checked.
 * @param now seconds since the epoch
 */
export function chainProblem(
  certificate: Certificate,
  intermediates: readonly Certificate[],
  authorities: readonly Certificate[],
  now: number,
): ChainProblem | undefined {
  const [uncheckedExtension] = certificate.uncheckedExtensions;
  if (uncheckedExtension !== undefined) return { problem: 'unchecked-extension', id: uncheckedExtension };
  if (!certificate.isForClients) return { problem: 'purpose' };
  let problem: ChainProblem = { problem: 'unknown-issuer' };
  let issuers = authorities
    .filter((authority) => canIssue(authority, now) && issuerProblem(authority, authority.weakKey) === undefined)
    .map((authority): Issuer => ({
      certificate: authority,
      maxIntermediates: authority.issuerLimits?.maxIntermediates ?? 0,
    }));
  let remaining = intermediates.slice(0, MAX_INTERMEDIATES);
  while (issuers.length > 0) {
    if (issuers.some((issuer) => isIssuedBy(certificate, issuer.certificate))) return undefined;
    const next: Issuer[] = [];
    remaining = remaining.filter((intermediate) => {
      const issuer = issuers.find(
        (candidate) => candidate.maxIntermediates > 0 && isIssuedBy(intermediate, candidate.certificate),
      );
      if (issuer === undefined) return true;
      if (!canIssue(intermediate, now)) return false;
      const rejection = issuerProblem(intermediate, intermediate.weakKey ?? intermediate.weakSignature);
      problem = rejection ?? problem;
      const maxIntermediates = Math.min(issuer.maxIntermediates - 1, intermediate.issuerLimits?.maxIntermediates ?? 0);
      if (rejection === undefined) next.push({ certificate: intermediate, maxIntermediates });
      return false;
    });
    issuers = next;
  }
  return problem;
}

function canIssue({ issuerLimits, uncheckedExtensions, validFrom, validUntil }: Certificate, now: number): boolean {
  return issuerLimits !== null && uncheckedExtensions.length === 0 && validFrom <= now && now <= validUntil;
}

/**
 * Returns the reason why certificates below an issuer are refused, or undefined if they are accepted.
 * @param weakness the weakness of the issuer's key or signature. The signatures of authorities are not checked, because
 *   the operator vouches for the authorities
 */
function issuerProblem({ canIssueForClients }: Certificate, weakness: Text | null): ChainProblem | undefined {
  if (!canIssueForClients) return { problem: 'purpose-of-issuer' };
  return weakness === null ? undefined : { problem: 'weak-issuer', weakness };
}

function isIssuedBy({ x509 }: Certificate, { x509: issuer, publicKey }: Certificate): boolean {
  return x509.checkIssued(issuer) && x509.verify(publicKey);
}
