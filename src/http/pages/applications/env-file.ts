import { usesSecret } from '../../../domain/client-authentication.ts';
import { builtinCallbackUri } from '../../../oauth/clients/builtin-callback.ts';
import type { Client } from '../../../projections/clients.ts';
import type { EndpointLocals } from './endpoints.ts';

/** Matches values that need no quotation marks in any dialect of `.env` or in shells. */
const UNQUOTED_VALUE = /^[\w./:@%+-]*$/;

/**
 * Formats an application's settings as a `.env` file.
 * @param clientSecret null if the client has no secret, or if its secret can no longer be shown
 */
export function envFile(
  client: Pick<Client, 'clientId' | 'authentication' | 'secret' | 'redirectUris'>,
  { issuer, endpoints }: { readonly issuer: string; readonly endpoints: readonly EndpointLocals[] },
  clientSecret: string | null,
): string {
  const { clientId, redirectUris } = client;
  const redirectUri = redirectUris.find((uri) => uri !== builtinCallbackUri(issuer, clientId));
  return [
    formatLine('CLIENT_ID', clientId),
    ...(usesSecret(client.authentication) ? secretLines(client, clientSecret) : methodLines(client)),
    ...(redirectUri === undefined ? [] : [formatLine('REDIRECT_URI', redirectUri)]),
    ...endpoints.map(({ name, uri }) => formatLine(name.toUpperCase(), uri)),
    '',
  ].join('\n');
}

function secretLines({ secret }: Pick<Client, 'secret'>, clientSecret: string | null): readonly string[] {
  const comment =
    secret === null
      ? '# The application has no secret yet. Create one on its page.'
      : '# The secret was shown once. If it is lost, rotate it.';
  return [...(clientSecret === null ? [comment] : []), formatLine('CLIENT_SECRET', clientSecret ?? '')];
}

/**
 * Returns a comment that states how the application authenticates. The file cannot contain the private key, because the
 * server does not have it.
 */
function methodLines({ authentication }: Pick<Client, 'authentication'>): readonly string[] {
  const methods = authentication.methods.filter((method) => method !== 'none');
  return methods.length === 0 ? [] : [`# The application authenticates with a private key: ${methods.join(', ')}.`];
}

function formatLine(name: string, value: string): string {
  return `OAUTH_${name}=${UNQUOTED_VALUE.test(value) ? value : quote(value)}`;
}

function quote(value: string): string {
  return `"${value.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`;
}

/** Returns the file name. It is not just `.env`, because browsers change file names that begin with a dot. */
export function envFileName({ name }: Pick<Client, 'name'>): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${slug || 'application'}.env`;
}
