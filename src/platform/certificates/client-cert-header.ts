import { readCertificate, type Certificate } from './certificate.ts';
import { MAX_INTERMEDIATES } from './chain.ts';

/** A client's certificate and the intermediates between it and an authority. */
export interface CertificateChain {
  readonly certificate: Certificate;
  readonly intermediates: readonly Certificate[];
}

/** The headers that may be malformed. */
export type MalformedHeader = 'Client-Cert' | 'Client-Cert-Chain';

/** A byte sequence (RFC 8941 §3.3.5). Parameters have no meaning here, and are ignored (RFC 9440 §2.2). */
const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]*={0,2}):(?:; *[a-z*][a-z0-9_.*-]*(?:=[!-+\--:<-~]+)?)*$/;

/** Reads the certificates in the headers of RFC 9440 §2, or returns the name of the malformed header. */
export function readClientCertHeaders(
  certificate: string,
  chain: string | undefined,
): CertificateChain | { readonly malformed: MalformedHeader } {
  const client = readByteSequence(certificate);
  if (client === undefined) return { malformed: 'Client-Cert' };
  const entries = chain === undefined ? [] : chain.split(',').map(readByteSequence);
  const intermediates = entries.filter((entry) => entry !== undefined);
  if (intermediates.length < entries.length || entries.length > MAX_INTERMEDIATES)
    return { malformed: 'Client-Cert-Chain' };
  return { certificate: client, intermediates };
}

function readByteSequence(text: string): Certificate | undefined {
  const base64 = BYTE_SEQUENCE.exec(text.trim())?.[1];
  return base64 === undefined ? undefined : readCertificate(Buffer.from(base64, 'base64'));
}
