import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { callControl, ControlError } from '../operations/control/client.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';
import type { RegisteredClient } from './doctor-redirect-uris.ts';
import { controlSocketPath } from './operation-target.ts';

const CHECK = 'trusted-issuers';

/** Each check makes the running server send a request to another server, and the rate of such requests is limited. */
const MAX_CHECKED_ISSUERS = 20;

const trustedIssuer = z.object({
  issuer: z.string(),
  uses: z.array(z.string()),
  jwks_uri: z.string().nullable(),
  /** Client ids, each optionally followed by a required claim. */
  clients: z.array(z.string()),
});
type TrustedIssuer = z.output<typeof trustedIssuer>;

/** The grant type that a client must be registered for to present a token, by use of the token. */
const GRANT_TYPES: Readonly<Record<string, string>> = {
  assertion: 'jwt-bearer',
  'identity-assertion': 'jwt-bearer',
  'subject-token': 'token-exchange',
  'actor-token': 'token-exchange',
};

/**
 * Reports trusted issuers whose keys cannot be read, and records that have no effect. Asks the running server to read
 * the keys of issuers that publish them at a URL, up to a maximum number of issuers.
 * @param clients null if no server responded
 */
export async function checkTrustedIssuers(
  { dataDir }: Pick<Config, 'dataDir'>,
  clients: readonly RegisteredClient[] | null,
): Promise<readonly CheckResult[]> {
  const path = controlSocketPath(dataDir);
  const issuers = clients === null ? [] : await listIssuers(path);
  if (clients === null || issuers.length === 0) return [];
  const keyFindings = await Promise.all(
    issuers
      .filter((issuer) => issuer.jwks_uri !== null)
      .slice(0, MAX_CHECKED_ISSUERS)
      .map((issuer) => checkKeys(issuer, path)),
  );
  const findings = [
    ...issuers.flatMap((issuer) => checkRecord(issuer, clients)),
    ...keyFindings.flatMap((result) => result ?? []),
  ];
  const count = issuers.length === 1 ? '1 trusted issuer' : `${issuers.length} trusted issuers`;
  const areAllChecked = keyFindings.length < MAX_CHECKED_ISSUERS;
  const checkedKeys = areAllChecked ? 'keys' : `the first ${MAX_CHECKED_ISSUERS} published key sets`;
  return findings.length > 0 ? findings : [ok(CHECK, `${count}; all records and ${checkedKeys} are usable`)];
}

/**
 * Lists the trusted issuers. If the operation fails, for example because the server runs an earlier release, returns
 * the issuers received until then.
 */
async function listIssuers(path: string): Promise<readonly TrustedIssuer[]> {
  const issuers: TrustedIssuer[] = [];
  try {
    for await (const row of callControl(path, 'trusted-issuer list', {})) issuers.push(trustedIssuer.parse(row));
  } catch (error) {
    if (!(error instanceof OperationRefused) && !(error instanceof ControlError)) throw error;
  }
  return issuers;
}

/** Reports a record without registered applications, and each use that none of its applications is registered for. */
function checkRecord(
  { issuer, uses, clients: clientEntries }: TrustedIssuer,
  clients: readonly RegisteredClient[],
): readonly CheckResult[] {
  const ids = clientEntries.map((entry) => entry.split(' ', 1)[0]);
  const registeredClients = clients.filter(({ client_id }) => ids.includes(client_id));
  if (registeredClients.length === 0)
    return [
      finding(
        CHECK,
        `the record for ${issuer} contains no registered application, so no token from the issuer is accepted`,
        `add an application, or stop trusting the issuer: grantlog trusted-issuer remove ${issuer}`,
      ),
    ];
  const usesWithoutEffect = uses.filter((use) =>
    registeredClients.every(
      ({ grant_types: grantTypes }) => grantTypes !== undefined && !grantTypes.includes(GRANT_TYPES[use] ?? use),
    ),
  );
  return usesWithoutEffect.map((use) =>
    finding(
      CHECK,
      `${issuer} is trusted for the use ${use}, but none of its applications is registered for ` +
        (GRANT_TYPES[use] ?? use),
      `grantlog client update ID --grant ${GRANT_TYPES[use] ?? use}, or remove the use`,
    ),
  );
}

/** Returns a finding if the running server cannot read the issuer's keys. */
async function checkKeys({ issuer }: TrustedIssuer, path: string): Promise<CheckResult | undefined> {
  try {
    const keys = callControl(path, 'trusted-issuer keys', { issuer });
    while (!(await keys.next()).done);
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationRefused) && !(error instanceof ControlError)) throw error;
    return finding(CHECK, `${issuer}: ${error.message}`, `correct the URL: grantlog trusted-issuer set ${issuer}`);
  }
}
