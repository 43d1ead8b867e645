import { readFileSync } from 'node:fs';
import { serverCertificateProblem, type ServerCertificate } from '../platform/certificates/server-certificate.ts';
import { CannotRunError } from './exit.ts';

interface TlsFiles {
  readonly tlsCertificateFile: string | null;
  readonly tlsKeyFile: string | null;
}

/**
 * Reads the server's certificate and its key. Returns null if no certificate is configured.
 * @param now milliseconds since the epoch
 * @throws CannotRunError if a file cannot be read, or the server cannot use the certificate
 */
export function readTlsFiles({ tlsCertificateFile, tlsKeyFile }: TlsFiles, now: number): ServerCertificate | null {
  if (tlsCertificateFile === null || tlsKeyFile === null) return null;
  const certificate = {
    cert: readConfiguredFile('GRANTLOG_TLS_CERTIFICATE_FILE', tlsCertificateFile),
    key: readConfiguredFile('GRANTLOG_TLS_KEY_FILE', tlsKeyFile),
  };
  const problem = serverCertificateProblem(certificate, now);
  if (problem !== undefined)
    throw new CannotRunError(`GRANTLOG_TLS_CERTIFICATE_FILE: the certificate in ${tlsCertificateFile} ${problem}`);
  return certificate;
}

function readConfiguredFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CannotRunError(`${setting}: cannot read ${path} (${code})`, { cause });
  }
}

const CHECK_INTERVAL_MILLISECONDS = 60_000;

interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Checks the files every minute, and calls `use` with the certificate if they have changed. If the new certificate
 * cannot be used, this is logged, and the previous certificate stays in use.
 * @returns a function that stops the checks
 */
export function watchTlsFiles(
  files: TlsFiles,
  first: ServerCertificate,
  {
    use,
    log,
    now,
  }: { readonly use: (certificate: ServerCertificate) => void; readonly log: Log; readonly now: () => number },
): () => void {
  let currentCertificate = first;
  let problem: string | undefined;

  function check(): void {
    try {
      const newCertificate = readTlsFiles(files, now());
      problem = undefined;
      if (
        newCertificate === null ||
        (newCertificate.cert === currentCertificate.cert && newCertificate.key === currentCertificate.key)
      )
        return;
      use(newCertificate);
      currentCertificate = newCertificate;
      log.info({}, 'the TLS certificate was replaced');
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem)
        log.error({ err: error }, 'cannot use the TLS certificate; the previous one stays in use');
      problem = message;
    }
  }

  const timer = setInterval(check, CHECK_INTERVAL_MILLISECONDS).unref();
  return () => clearInterval(timer);
}
