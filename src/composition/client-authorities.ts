import { readFileSync } from 'node:fs';
import { readCertificates, type Certificate } from '../platform/certificates/certificate.ts';

/**
 * Reads the authorities that issue certificates to clients.
 * @param path the value of the `tlsClientCaFile` setting; null if there are no authorities
 * @param now milliseconds since the epoch
 * @throws Error if the file or one of its certificates cannot be read, or if the file contains no usable authority
 *   that has not expired
 */
export function readClientAuthorities(path: string | null, now: number): readonly Certificate[] {
  if (path === null) return [];
  const setting = 'GRANTLOG_TLS_CLIENT_CA_FILE';
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: cannot read the file`, { cause });
  }
  let certificates: readonly Certificate[];
  try {
    certificates = readCertificates(pem);
  } catch (cause) {
    throw new Error(`${setting}: ${path} contains a certificate that cannot be read`, { cause });
  }
  const authorities = certificates.filter(({ issuerLimits }) => issuerLimits !== null);
  if (authorities.length === 0)
    throw new Error(`${setting}: ${path} contains no certificate of an authority in PEM format`);
  const usableAuthorities = authorities.filter(
    ({ canIssueForClients, weakKey }) => canIssueForClients && weakKey === null,
  );
  if (usableAuthorities.length === 0)
    throw new Error(`${setting}: no authority in ${path} both has a strong key and can issue client certificates`);
  const validAuthorities = usableAuthorities.filter(({ validUntil }) => now / 1000 <= validUntil);
  if (validAuthorities.length === 0)
    throw new Error(`${setting}: the certificates of all usable authorities in ${path} have expired`);
  return validAuthorities;
}
