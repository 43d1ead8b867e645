import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const APACHE = '/usr/sbin/apache2';
/** mod_auth_openidc receives authorization responses at a path below one that it protects. */
export const APACHE_REDIRECT_PATH = '/private/callback';
const MODULES = '/usr/lib/apache2/modules';

interface ApacheClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The port on localhost that Apache listens on. */
  readonly port: number;
}

/**
 * Configures an Apache server whose `/private/` page requires a login through mod_auth_openidc. Its response headers
 * contain the claims that the module has received. Sessions are stored on the server, so that a logout token can end
 * them.
 * @returns the command that runs Apache in the foreground
 */
export function configureApache(directory: string, { issuer, clientId, clientSecret, port }: ApacheClient) {
  const documents = join(directory, 'documents');
  mkdirSync(join(documents, 'private'), { recursive: true });
  writeFileSync(join(documents, 'private/index.html'), '<!doctype html><title>Private</title><h1>Private page</h1>\n');
  const modules = ['mpm_event', 'authz_core', 'authn_core', 'authz_user', 'dir', 'headers', 'auth_openidc'];
  const file = join(directory, 'apache.conf');
  writeFileSync(
    file,
    [
      ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []), // Apache does not serve pages as root
      `ServerRoot ${directory}`,
      `PidFile ${join(directory, 'apache.pid')}`,
      `ErrorLog ${join(directory, 'apache-error.log')}`,
      `Listen 127.0.0.1:${port}`,
      `ServerName http://localhost:${port}`,
      `DocumentRoot ${documents}`,
      'DirectoryIndex index.html',
      `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
      `OIDCClientID ${clientId}`,
      `OIDCClientSecret ${clientSecret}`,
      `OIDCRedirectURI http://localhost:${port}${APACHE_REDIRECT_PATH}`,
      'OIDCCryptoPassphrase passphrase-of-the-drill',
      'OIDCScope "openid profile email"',
      'OIDCPKCEMethod S256',
      'OIDCSessionType server-cache',
      `OIDCDefaultLoggedOutURL http://localhost:${port}/`,
      '<Location /private/>',
      '  AuthType openid-connect',
      '  Require valid-user',
      '  Header set X-Subject "expr=%{reqenv:OIDC_CLAIM_sub}"',
      '  Header set X-Email "expr=%{reqenv:OIDC_CLAIM_email}"',
      '</Location>',
      '',
    ].join('\n'),
  );
  return [APACHE, '-f', file, '-D', 'FOREGROUND'] as const;
}
