import { builtinCallbackUri } from '../../../oauth/clients/builtin-callback.ts';
import type { Client } from '../../../projections/clients.ts';
import { endpointsOf } from './endpoints.ts';

/** Values that mean the same in every dialect of `.env` and in shells, without quotation marks. */
const PLAIN = /^[\w./:@%+~-]*$/;

/**
 * The settings of an application as a `.env` file.
 * @param clientSecret null if it is not known, because it was shown before
 */
export function envFile(
  client: Pick<Client, 'clientId' | 'clientType' | 'redirectUris'>,
  issuer: string,
  clientSecret: string | null,
): string {
  const { clientId, clientType, redirectUris } = client;
  const redirectUri = redirectUris.find((uri) => uri !== builtinCallbackUri(issuer, clientId));
  const secret =
    clientType === 'public'
      ? []
      : [
          ...(clientSecret === null ? ['# The secret was shown once. If it is lost, rotate it.'] : []),
          line('CLIENT_SECRET', clientSecret ?? ''),
        ];
  return [
    line('CLIENT_ID', clientId),
    ...secret,
    ...(redirectUri === undefined ? [] : [line('REDIRECT_URI', redirectUri)]),
    ...endpointsOf(issuer).map(({ name, uri }) => line(name.toUpperCase(), uri)),
    '',
  ].join('\n');
}

function line(name: string, value: string): string {
  return `OAUTH_${name}=${PLAIN.test(value) ? value : quoted(value)}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`;
}

/** A name for the file: not `.env` itself, because browsers change names that begin with a dot. */
export function envFileName({ name }: Pick<Client, 'name'>): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${plain || 'application'}.env`;
}
