import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { receivesCertificates } from '../config/tls-settings.ts';
import { FAPI2_ALGORITHMS } from '../domain/security-settings.ts';
import { openControl } from '../operations/control/client.ts';
import { controlSocketPath } from './operation-target.ts';
import { finding, notChecked, ok, type CheckResult } from './doctor-checks.ts';
import type { RegisteredClient } from './doctor-redirect-uris.ts';

const CHECK = 'fapi2';
/** FAPI 2.0 Security Profile §5.3.2.1. */
const MAX_CODE_SECONDS = 60;
const ALLOWED_ALGORITHMS: readonly string[] = FAPI2_ALGORITHMS;

const registeredResource = z.object({
  uri: z.string(),
  access_token_format: z.string().nullable(),
  access_token_algorithm: z.string().nullable(),
});
export type RegisteredResource = z.output<typeof registeredResource>;

/**
 * Reports the settings that violate the FAPI 2.0 Security Profile, if at least one application has the profile. The
 * profile also requires a correct clock, which `checkClock` checks for every server.
 * @param clients null if no server responded
 */
export function checkProfile(
  config: Config,
  clients: readonly RegisteredClient[] | null,
  resources: readonly RegisteredResource[],
): readonly CheckResult[] {
  if (clients === null) return [notChecked(CHECK)];
  const profileClients = clients.filter(({ profile }) => profile === 'fapi2');
  if (profileClients.length === 0) return [ok(CHECK, 'no application has the profile')];
  const needsCertificates = profileClients.some((client) => client.tls_client_certificate_bound_access_tokens === true);
  const problems: readonly (readonly [boolean, string, string])[] = [
    [
      config.issuer?.startsWith('https:') !== true,
      'the issuer does not use https (§5.2)',
      'set ISSUER to the https URL of the server',
    ],
    [
      !config.pkceMethods.includes('S256'),
      'pkceMethods lacks S256, so every authorization request is refused (§5.3.2.2)',
      'add S256 to pkceMethods',
    ],
    [
      config.authorizationCodeLifetimeSeconds > MAX_CODE_SECONDS,
      `authorizationCodeLifetimeSeconds is ${config.authorizationCodeLifetimeSeconds}, but codes of applications ` +
        `with the profile expire after ${MAX_CODE_SECONDS} seconds (§5.3.2.1)`,
      `set authorizationCodeLifetimeSeconds to ${MAX_CODE_SECONDS} or less, so that the limit applies to all codes`,
    ],
    [
      needsCertificates && !receivesCertificates(config),
      'an application binds its tokens to a certificate, but no certificate reaches the server (§5.3.2.1)',
      'set mtlsPort, or clientCertificateProxies and mtlsUrl',
    ],
  ];
  const findings = [
    ...problems.flatMap(([isViolated, says, todo]) => (isViolated ? [finding(CHECK, says, todo)] : [])),
    ...resources.flatMap((resource) => forbiddenSignatureFindings(resource, profileClients)),
  ];
  if (findings.length > 0) return findings;
  const applications = profileClients.length === 1 ? '1 application has' : `${profileClients.length} applications have`;
  return [ok(CHECK, `${applications} the profile, and no setting violates it`)];
}

/** Reports the applications that get no tokens for the resource server because the profile forbids the algorithm. */
function forbiddenSignatureFindings(
  { uri, access_token_format: format, access_token_algorithm: algorithm }: RegisteredResource,
  profileClients: readonly RegisteredClient[],
): readonly CheckResult[] {
  const affectedClients = profileClients.filter((client) => {
    const isJwt = (format ?? client.access_token_format) === 'jwt';
    const signingAlgorithm = algorithm ?? client.access_token_algorithm;
    return isJwt && signingAlgorithm !== undefined && !ALLOWED_ALGORITHMS.includes(signingAlgorithm);
  });
  if (affectedClients.length === 0) return [];
  const applications = affectedClients.map(({ client_id: id, name }) => `${id} (${name})`).join(', ');
  const command =
    algorithm === null
      ? 'grantlog client update ID --access-token-algorithm'
      : `grantlog resource update ${uri} --access-token-algorithm`;
  return [
    finding(
      CHECK,
      `tokens for ${uri} must not be signed with ${algorithm ?? 'RS256'} (§5.4.1): refused to ${applications}`,
      `${command} ${FAPI2_ALGORITHMS[0]}, if the resource server supports that algorithm`,
    ),
  ];
}

/** Lists the resource servers registered with the running server. Returns an empty list if no server responds. */
export async function listRegisteredResources({
  dataDir,
}: Pick<Config, 'dataDir'>): Promise<readonly RegisteredResource[]> {
  try {
    const channel = await openControl(controlSocketPath(dataDir));
    if (channel === null) return [];
    const resources: RegisteredResource[] = [];
    for await (const row of channel.call('resource list', {})) resources.push(registeredResource.parse(row));
    return resources;
  } catch {
    return [];
  }
}
