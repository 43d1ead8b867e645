import type { Certificate } from './certificate.ts';

/** Why a certificate does not chain to an authority. */
export type ChainProblem =
  | { readonly problem: 'unknown-issuer' }
  | { readonly problem: 'purpose' }
  | { readonly problem: 'unchecked-extension'; readonly id: string };

/** Longer chains are not built. Each certificate is checked against each issuer at most once. */
export const MAX_INTERMEDIATES = 8;

interface Issuer {
  readonly certificate: Certificate;
  /** How many further intermediates may follow. */
  readonly maxIntermediates: number;
}

/**
 * Why `certificate` was not issued for clients by one of the `authorities`, directly or through `intermediates` (RFC
 * 5280 §6); undefined if it was. All certificates of a chain must be valid at `now`. Chains are built from the
 * authorities on, so that no key that a caller has chosen is used before an authority has vouched for it. Revocation is
 * not checked.
 * @param now seconds since 1970
 */
export function chainProblem(
  certificate: Certificate,
  intermediates: readonly Certificate[],
  authorities: readonly Certificate[],
  now: number,
): ChainProblem | undefined {
  const [unchecked] = certificate.unchecked;
  if (unchecked !== undefined) return { problem: 'unchecked-extension', id: unchecked };
  if (!certificate.isForClients) return { problem: 'purpose' };
  let issuers = authorities.flatMap((authority) => asIssuer(authority, now, authority.issues?.maxIntermediates));
  let waiting = intermediates.slice(0, MAX_INTERMEDIATES);
  while (issuers.length > 0) {
    if (issuers.some((issuer) => isIssuedBy(certificate, issuer.certificate))) return undefined;
    const next: Issuer[] = [];
    waiting = waiting.filter((intermediate) => {
      const issuer = issuers.find((each) => each.maxIntermediates > 0 && isIssuedBy(intermediate, each.certificate));
      const most = issuer && Math.min(issuer.maxIntermediates - 1, intermediate.issues?.maxIntermediates ?? 0);
      next.push(...asIssuer(intermediate, now, most));
      return issuer === undefined;
    });
    issuers = next;
  }
  return { problem: 'unknown-issuer' };
}

/** The certificate as an issuer of others, if it is one now. @param maxIntermediates undefined for no issuer */
function asIssuer(certificate: Certificate, now: number, maxIntermediates: number | undefined): readonly Issuer[] {
  const { issues, unchecked, validFrom, validUntil } = certificate;
  const isUsable = issues !== null && unchecked.length === 0 && validFrom <= now && now <= validUntil;
  return isUsable && maxIntermediates !== undefined ? [{ certificate, maxIntermediates }] : [];
}

function isIssuedBy({ x509 }: Certificate, { x509: issuer, publicKey }: Certificate): boolean {
  return x509.checkIssued(issuer) && x509.verify(publicKey);
}
