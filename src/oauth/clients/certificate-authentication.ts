import type { KeyObject } from 'node:crypto';
import type { ClientKey, TlsSubject } from '../../domain/client-authentication.ts';
import type { EpochSeconds, KeyId } from '../../domain/values.ts';
import { canonicalAddress, type Certificate } from '../../platform/certificates/certificate.ts';
import { chainProblem } from '../../platform/certificates/chain.ts';
import type { CertificateChain } from '../../platform/certificates/client-cert-header.ts';
import { formatName, isSameName, parseName } from '../../platform/certificates/distinguished-name.ts';
import type { PresentedCertificate } from '../../platform/certificates/presented-certificate.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { keyObjectOf } from './client-keys.ts';
import type { FindClientKeys } from './client-key-finder.ts';

export interface CertificateAuthenticationDeps {
  /** The authorities that issue certificates to clients, for `tls_client_auth`. */
  readonly authorities: readonly Certificate[];
  readonly findClientKeys: FindClientKeys;
  /** The base URL where clients present their certificates; null if it is the issuer. */
  readonly mtlsBase: () => string | null;
}

/**
 * Checks that the certificate in a request belongs to the client.
 * @returns the id of the client's key in the certificate; undefined if an authority issued the certificate
 * @throws OAuthError `invalid_client` if there is no certificate, or it does not belong to the client
 */
export type AuthenticateByCertificate = (
  client: Client,
  presented: PresentedCertificate,
  now: EpochSeconds,
) => Promise<KeyId | undefined>;

/** Reports whether the client can authenticate with a certificate. */
export function usesCertificate({ authentication: { methods } }: Pick<Client, 'authentication'>): boolean {
  return methods.includes('tls_client_auth') || methods.includes('self_signed_tls_client_auth');
}

/**
 * Creates the check for mutual TLS (RFC 8705 §2). For `tls_client_auth`, the certificate must have the registered
 * subject and be issued by a configured authority. For `self_signed_tls_client_auth`, its key must be one of the
 * client's, so that the certificate can be renewed with the same key; any issuer is accepted.
 */
export function createCertificateAuthentication(deps: CertificateAuthenticationDeps): AuthenticateByCertificate {
  const { authorities, findClientKeys, mtlsBase } = deps;

  return async (client, presented, now) => {
    const { methods, tls } = client.authentication;
    const chain = requireCertificate(presented, 'authentication', mtlsBase());
    if (methods.includes('self_signed_tls_client_auth')) {
      const { matchingKeys, allKeys, problem } = await findClientKeys(client, (key) => hasKey(chain.certificate, key));
      const [key] = matchingKeys;
      if (key !== undefined) return key.keyId;
      if (tls === null && problem !== null) throw oauthError({ rule: 'client-keys-unreadable', problem });
      if (tls === null) throw oauthError({ rule: 'certificate-key-unknown', keys: allKeys.length });
    }
    const problem = chainProblem(chain.certificate, chain.intermediates, authorities, now);
    if (problem !== undefined)
      throw oauthError({ rule: 'certificate-chain', hasAuthorities: authorities.length > 0, ...problem });
    requireSubject(chain.certificate, tls);
    return undefined;
  };
}

/**
 * Returns the certificate in a request that requires one, with its intermediate certificates.
 * @throws OAuthError if the request has no certificate, or one that cannot be accepted
 */
export function requireCertificate(
  presented: PresentedCertificate,
  use: 'authentication' | 'binding',
  mtlsBase: string | null,
): CertificateChain {
  if (presented.kind === 'none') throw oauthError({ rule: 'certificate-missing', use, at: mtlsBase });
  if (presented.kind === 'refused') {
    const { kind: _kind, ...problem } = presented;
    throw oauthError({ rule: 'certificate-refused', use, ...problem });
  }
  return presented;
}

function hasKey({ publicKey }: Certificate, key: ClientKey): boolean {
  return encodeDer(keyObjectOf(key)).equals(encodeDer(publicKey));
}

function encodeDer(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

/** Requires the registered subject (RFC 8705 §2.1.2). */
function requireSubject(certificate: Certificate, expected: TlsSubject | null): void {
  if (expected === null) throw new Error('a client with tls_client_auth must have a subject');
  const { kind, value } = expected;
  const names = certificate.alternativeNames;
  const actualNames =
    kind === 'subject_dn'
      ? [formatName(certificate.subject)]
      : { san_dns: names.dns, san_uri: names.uri, san_ip: names.ip, san_email: names.email }[kind];
  if (!hasSubject(certificate, expected))
    throw oauthError({
      rule: 'certificate-subject-differs',
      kind,
      expected: sanitize(value),
      seen: actualNames.slice(0, MAX_SHOWN_NAMES).map(sanitize),
    });
}

const MAX_SHOWN_NAMES = 5;

function hasSubject(
  { subject, alternativeNames: { dns, uri, ip, email } }: Certificate,
  expected: TlsSubject,
): boolean {
  const { kind, value } = expected;
  switch (kind) {
    case 'subject_dn': {
      const name = parseName(value);
      return name !== undefined && isSameName(name, subject);
    }
    case 'san_dns': // without wildcards
      return dns.some((host) => host.toLowerCase() === value.toLowerCase());
    case 'san_uri':
      return uri.includes(value);
    case 'san_ip':
      return ip.includes(canonicalAddress(value) ?? '');
    case 'san_email':
      return email.some((address) => lowercaseHost(address) === lowercaseHost(value));
  }
}

/** Returns the e-mail address with its host in lower case. Only the host is case-insensitive (RFC 5321 §2.4). */
function lowercaseHost(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}
