import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

/** This server's certificate chain and private key, both in PEM format. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns the reason why the server cannot use the certificate, phrased to follow "the certificate" in a sentence, or
 * undefined if it can.
 * @param now milliseconds since the epoch
 */
export function serverCertificateProblem({ cert, key }: ServerCertificate, now: number): string | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return 'is malformed or not in PEM format';
  }
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(key);
  } catch {
    return 'cannot be used: the key file contains no unencrypted private key in PEM format';
  }
  if (!certificate.checkPrivateKey(privateKey)) return 'does not match the key: they belong to different key pairs';
  if (now > Date.parse(certificate.validTo)) return `expired on ${certificate.validTo}; renew it`;
  return now < Date.parse(certificate.validFrom) ? `is not valid before ${certificate.validFrom}` : undefined;
}

/** Returns when the certificate expires, in milliseconds since the epoch. */
export function certificateExpiry({ cert }: Pick<ServerCertificate, 'cert'>): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

/** A client that takes longer for the handshake is broken or malicious. */
const HANDSHAKE_TIMEOUT_MILLISECONDS = 10_000;

/** The suites that FAPI 2.0 §5.2.2 allows with TLS 1.2. All suites of TLS 1.3 are strong. */
const TLS_1_2_SUITES = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
];

/**
 * Returns the options for a TLS server (RFC 9325).
 * @param requestCert whether to request the client's certificate. Any certificate or none is accepted here, and checked
 *   later
 */
export function tlsOptions({ cert, key }: ServerCertificate, requestCert: boolean): TlsOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: [
      ...TLS_1_2_SUITES,
      'TLS_AES_128_GCM_SHA256',
      'TLS_AES_256_GCM_SHA384',
      'TLS_CHACHA20_POLY1305_SHA256',
    ].join(':'),
    handshakeTimeout: HANDSHAKE_TIMEOUT_MILLISECONDS,
    requestCert,
    rejectUnauthorized: false,
    // No authority names are sent, so that clients send self-signed certificates as well.
    ca: [],
    // A resumed session would lack the intermediate certificates, and a renegotiation could change the certificate.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | (requestCert ? constants.SSL_OP_NO_TICKET : 0),
  };
}
