import { z } from 'zod';
import { SECURITY_PROFILES } from '../domain/security-settings.ts';
import type { Config } from '../config/config.ts';
import { openControl } from '../operations/control/client.ts';
import { forbiddenRedirectUris } from '../oauth/clients/redirect-uris.ts';
import { finding, notChecked, ok, type CheckResult } from './doctor-checks.ts';
import { controlSocketPath } from './operation-target.ts';
import { english } from '../language/english.ts';

const registeredClient = z.object({
  client_id: z.string(),
  name: z.string(),
  client_type: z.enum(['confidential', 'public']),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  /** Earlier releases send neither this property nor the properties below. */
  jwks_uri: z.string().nullish(),
  profile: z.enum(SECURITY_PROFILES).nullish(),
  auth_methods: z.array(z.string()).optional(),
  tls_client_certificate_bound_access_tokens: z.boolean().optional(),
  access_token_format: z.string().optional(),
  access_token_algorithm: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
});
export type RegisteredClient = z.output<typeof registeredClient>;

type RedirectUriConfig = Pick<Config, 'plainHttpRedirectUris' | 'redirectUriSchemes'>;

/**
 * Reports each registered redirect URI and post-logout redirect URI that the settings forbid.
 * @param clients null if no server responded
 */
export function checkRedirectUris(
  config: RedirectUriConfig,
  clients: readonly RegisteredClient[] | null,
): readonly CheckResult[] {
  if (clients === null) return [notChecked('redirect-uris')];
  const findings = clients.flatMap((client) => forbiddenUriFindings(client, config));
  if (findings.length > 0) return findings;
  const applications = clients.length === 1 ? '1 application' : `${clients.length} applications`;
  return [ok('redirect-uris', `the settings allow all redirect URIs of ${applications}`)];
}

function forbiddenUriFindings(
  { client_id: id, name, client_type: clientType, redirect_uris, post_logout_redirect_uris }: RegisteredClient,
  config: RedirectUriConfig,
): readonly CheckResult[] {
  const lists = [
    ['--redirect-uri', redirect_uris],
    ['--post-logout-redirect-uri', post_logout_redirect_uris],
  ] as const;
  return lists.flatMap(([option, redirectUris]) =>
    forbiddenRedirectUris({ redirectUris, clientType }, config).map(({ uri, problem, setting }) => {
      const remedy = setting === null ? '' : `, or change the ${setting} setting`;
      return finding(
        'redirect-uris',
        `${id} (${name}): ${uri} ${english.text(problem)}`,
        `register a different URI: grantlog client update ${id} ${option} URI${remedy}`,
      );
    }),
  );
}

/**
 * Lists the applications registered with the running server. Resolves with null if no server responds or the
 * response cannot be read. Does not open the log, because that would create files owned by the user who runs this
 * command instead of the user who runs the server.
 */
export async function listRegisteredClients({
  dataDir,
}: Pick<Config, 'dataDir'>): Promise<readonly RegisteredClient[] | null> {
  try {
    const channel = await openControl(controlSocketPath(dataDir));
    if (channel === null) return null;
    const clients: RegisteredClient[] = [];
    for await (const row of channel.call('client list', {})) clients.push(registeredClient.parse(row));
    return clients;
  } catch {
    return null;
  }
}
