import { z } from 'zod';
import { isNetwork } from '../platform/networks.ts';
import { isIssuer } from './addresses.ts';
import { setting } from './setting.ts';

const file = setting({
  schema: z.string().min(1).nullable(),
  default: null,
  expects: 'the path of a PEM file',
});

/** The settings for the server's own TLS and for client certificates (RFC 8705). */
export const tlsSettings = {
  tlsCertificateFile: file,
  tlsKeyFile: file,
  tlsClientCaFile: file,
  mtlsPort: setting({
    schema: z.int().min(1).max(65_535).nullable(),
    default: null,
    expects: 'null, or a whole number from 1 to 65535',
  }),
  mtlsUrl: setting({
    schema: z
      .string()
      .refine((text) => isIssuer(text) && text.startsWith('https:'))
      .transform((text) => new URL(text).href.replace(/\/+$/, ''))
      .nullable(),
    default: null,
    expects: 'an https URL without a query, fragment or user name',
  }),
  clientCertificateProxies: setting({
    schema: z.array(z.string().max(64).refine(isNetwork)).max(50).readonly(),
    default: [],
    expects:
      'a list of at most 50 addresses or blocks of addresses in CIDR notation, in JSON: ["10.0.0.5","10.1.0.0/16"]',
  }),
} as const;

interface TlsValues {
  readonly tlsCertificateFile: string | null;
  readonly tlsKeyFile: string | null;
  readonly mtlsPort: number | null;
  readonly port: number;
  readonly issuer: string | null;
  readonly clientCertificateProxies: readonly string[];
  readonly trustedProxies: number;
}

/** Finds contradictions between the TLS settings and other settings. */
export function tlsProblems(values: TlsValues): readonly string[] {
  const { tlsCertificateFile, tlsKeyFile, mtlsPort, port, issuer } = values;
  const problems: string[] = [];
  if ((tlsCertificateFile === null) !== (tlsKeyFile === null))
    problems.push('GRANTLOG_TLS_CERTIFICATE_FILE and GRANTLOG_TLS_KEY_FILE: set both or neither');
  if (tlsCertificateFile !== null && issuer?.startsWith('http:') === true)
    problems.push('ISSUER: must use https, because the server uses HTTPS if GRANTLOG_TLS_CERTIFICATE_FILE is set');
  if (mtlsPort !== null && tlsCertificateFile === null)
    problems.push('GRANTLOG_MTLS_PORT: requires GRANTLOG_TLS_CERTIFICATE_FILE and GRANTLOG_TLS_KEY_FILE');
  if (mtlsPort === port) problems.push('GRANTLOG_MTLS_PORT: must differ from PORT');
  if (values.clientCertificateProxies.length > 0 && values.trustedProxies === 0)
    problems.push('GRANTLOG_CLIENT_CERTIFICATE_PROXIES: requires GRANTLOG_TRUSTED_PROXIES, the number of your proxies');
  return problems;
}

/**
 * Returns the base URL of the endpoints for clients with certificates (RFC 8705 §5), or null if these endpoints have no
 * separate URL.
 */
export function mtlsBase(
  { mtlsUrl, mtlsPort }: { readonly mtlsUrl: string | null; readonly mtlsPort: number | null },
  issuer: string,
): string | null {
  if (mtlsUrl !== null) return mtlsUrl;
  if (mtlsPort === null) return null;
  const url = new URL(issuer);
  url.port = String(mtlsPort);
  return url.href.replace(/\/+$/, '');
}

/**
 * Reports whether client certificates can reach the server: at a separate URL, on a separate port, or through a proxy.
 */
export function receivesCertificates({
  mtlsUrl,
  mtlsPort,
  clientCertificateProxies,
}: {
  readonly mtlsUrl: string | null;
  readonly mtlsPort: number | null;
  readonly clientCertificateProxies: readonly string[];
}): boolean {
  return mtlsUrl !== null || mtlsPort !== null || clientCertificateProxies.length > 0;
}
