import { readCertificate, type Certificate } from './certificate.ts';
import { MAX_INTERMEDIATES } from './chain.ts';

/** A client's certificate and the intermediates between it and an authority. */
export interface CertificateChain {
  readonly certificate: Certificate;
  readonly intermediates: readonly Certificate[];
}

/** The name of a malformed header. */
export type MalformedHeader = 'Client-Cert' | 'Client-Cert-Chain';

/** A byte sequence (RFC 8941 §3.3.5). Parameters have no meaning here and are ignored (RFC 9440 §2.2). */
const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]*={0,2}):(?:; *[a-z*][a-z0-9_.*-]*(?:=[!-+\--:<-~]+)?)*$/;

/** Returns the certificates in the headers defined in RFC 9440 §2, or the name of the malformed header. */
export function readClientCertHeaders(
  clientCert: string,
  clientCertChain: string | undefined,
): CertificateChain | { readonly malformed: MalformedHeader } {
  const certificate = readCertificateItem(clientCert);
  if (certificate === undefined) return { malformed: 'Client-Cert' };
  const entries = clientCertChain === undefined ? [] : clientCertChain.split(',').map(readCertificateItem);
  const intermediates = entries.filter((entry) => entry !== undefined);
  if (intermediates.length < entries.length || entries.length > MAX_INTERMEDIATES)
    return { malformed: 'Client-Cert-Chain' };
  return { certificate, intermediates };
}

function readCertificateItem(text: string): Certificate | undefined {
  const base64 = BYTE_SEQUENCE.exec(text.trim())?.[1];
  return base64 === undefined ? undefined : readCertificate(Buffer.from(base64, 'base64'));
}
