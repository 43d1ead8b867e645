import { mtlsBase, receivesCertificates } from '../config/tls-settings.ts';
import type { Config } from '../config/config.ts';
import { certificateExpiry } from '../platform/certificates/server-certificate.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';
import type { RegisteredClient } from './doctor-redirect-uris.ts';
import { CannotRunError } from './exit.ts';
import { pluralize } from './print.ts';
import { readTlsFiles } from './tls-files.ts';

/** Certificates are usually renewed 30 days before they expire, so renewal has probably failed if less time is left. */
const EXPIRY_WARNING_DAYS = 14;
const DAY_MILLISECONDS = 86_400_000;

type TlsConfig = Pick<
  Config,
  | 'issuer'
  | 'tlsCertificateFile'
  | 'tlsKeyFile'
  | 'tlsClientCaFile'
  | 'mtlsPort'
  | 'mtlsUrl'
  | 'clientCertificateProxies'
>;

/**
 * Checks the server's TLS certificate. Returns no results if the server does not use TLS.
 * @param now milliseconds since the epoch
 */
export function checkTls(config: TlsConfig, now: number): readonly CheckResult[] {
  try {
    const certificate = readTlsFiles(config, now);
    if (certificate === null) return [];
    const days = Math.floor((certificateExpiry(certificate) - now) / DAY_MILLISECONDS);
    const description = `this server's certificate expires in ${pluralize(days, 'day')}`;
    const advice = 'renew the certificate and replace the files: a running server loads the new files within a minute';
    return [days < EXPIRY_WARNING_DAYS ? finding('tls', description, advice) : ok('tls', description)];
  } catch (error) {
    if (!(error instanceof CannotRunError)) throw error;
    return [finding('tls', error.message, 'correct the files; a running server keeps its current certificate')];
  }
}

/**
 * Checks whether client certificates reach the server and can be verified.
 * @param clients null if no server responded
 */
export function checkClientCertificates(
  config: TlsConfig,
  clients: readonly RegisteredClient[] | null,
): readonly CheckResult[] {
  const affectedClients = (clients ?? []).filter(
    ({ auth_methods: methods = [], tls_client_certificate_bound_access_tokens: isBound }) =>
      isBound || methods.some((method) => method.includes('tls_client_auth')),
  );
  if (affectedClients.length === 0) return [];
  const [first] = affectedClients;
  const [needVerb, presentVerb] = affectedClients.length === 1 ? ['needs', 'presents'] : ['need', 'present'];
  const count = pluralize(affectedClients.length, 'application');
  if (!receivesCertificates(config))
    return [
      finding(
        'client-certificates',
        `${count} (such as ${first?.client_id}) ${needVerb} TLS certificates, but no certificate reaches this server`,
        'set mtlsPort, or clientCertificateProxies if a proxy verifies the certificates',
      ),
    ];
  const needsAuthority = affectedClients.some(({ auth_methods: methods }) => methods?.includes('tls_client_auth'));
  if (needsAuthority && config.tlsClientCaFile === null)
    return [
      finding(
        'client-certificates',
        'applications use tls_client_auth, but no certificate authority is configured to verify their certificates',
        'set tlsClientCaFile',
      ),
    ];
  const url = config.issuer === null ? null : mtlsBase(config, config.issuer);
  return [ok('client-certificates', `${count} ${presentVerb} certificates at ${url ?? 'the issuer'}`)];
}
