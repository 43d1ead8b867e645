import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

/** A certificate and its private key, both in PEM. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * Creates a self-signed certificate, valid for a week.
 * @throws Error if OpenSSL is missing
 */
export function createCertificate(
  directory: string,
  name: string,
  [subject, ...extensions]: readonly [subject: string, ...extensions: readonly string[]],
): Certificate {
  const [keyFile, certificateFile] = [join(directory, `${name}-key.pem`), join(directory, `${name}-certificate.pem`)];
  const names = ['-subj', subject, ...extensions.flatMap((extension) => ['-addext', extension])];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  runCommand('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '7', ...names, ...files]);
  return {
    certificateFile,
    keyFile,
    cert: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(keyFile, 'utf8'),
  };
}
