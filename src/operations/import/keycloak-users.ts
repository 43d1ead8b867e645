import { z } from 'zod';
import { parseImportedHash } from '../../domain/password-hashes.ts';
import { toCandidate, type Candidate } from './entry.ts';

const text = z.string().nullish();
const texts = z.array(z.string()).default([]);
const rolesByClient = z.record(z.string(), texts).default({});

const credential = z.looseObject({
  type: z.string(),
  /** JSON in a string. */
  secretData: z.string().optional(),
  credentialData: z.string().optional(),
  /** A plain-text password, in files written by hand. */
  value: z.string().optional(),
  temporary: z.boolean().default(false),
});

export const keycloakUser = z.looseObject({
  username: z.string(),
  enabled: z.boolean().default(true),
  emailVerified: z.boolean().default(false),
  email: text,
  firstName: text,
  lastName: text,
  attributes: z.record(z.string(), z.unknown()).default({}),
  credentials: z.array(credential).default([]),
  requiredActions: texts,
  realmRoles: texts,
  clientRoles: rolesByClient,
  /** Paths, such as `/staff/developers`. */
  groups: texts,
  federatedIdentities: z.array(z.unknown()).default([]),
  federationLink: z.string().nullish(),
  serviceAccountClientId: z.string().nullish(),
});
type KeycloakUser = z.output<typeof keycloakUser>;

/** Reports whether Keycloak created the user for the client credentials grant of a client. */
export function isServiceAccount({ serviceAccountClientId: client }: KeycloakUser): boolean {
  return client !== undefined && client !== null;
}

/** Roles that Keycloak creates in each realm. */
export const BUILT_IN_ROLES = /^(?:offline_access|uma_authorization|default-roles-.*)$/;
const BUILT_IN_CLIENTS = ['account', 'broker'];
/** A user with this role of this client administers the realm. */
const REALM_ADMINISTRATOR = { client: 'realm-management', role: 'realm-admin' };

/**
 * Converts a user of the realm to a candidate for import.
 * @param groupNames the names of the groups in the file
 */
export function readKeycloakUser(user: KeycloakUser, location: string, groupNames: ReadonlySet<string>): Candidate {
  const { username, email, emailVerified, firstName, lastName, enabled: active } = user;
  const password = readPassword(user);
  const groups = user.groups.map((path) => path.replace(/^\//, ''));
  const importedGroups = groups.filter((name) => groupNames.has(name));
  const isAdministrator = user.clientRoles[REALM_ADMINISTRATOR.client]?.includes(REALM_ADMINISTRATOR.role) === true;
  const changes = [
    ...password.changes,
    ...(isAdministrator ? ['realm administrator: becomes an administrator'] : []),
    ...roleChanges(user),
    ...(importedGroups.length < groups.length
      ? ['group memberships: those in groups outside the file are not imported']
      : []),
    ...otherChanges(user),
  ];
  return toCandidate(
    location,
    {
      kind: 'user',
      username,
      email: email ?? '',
      email_verified: emailVerified && Boolean(email),
      first_name: firstName ?? '',
      last_name: lastName ?? '',
      active,
      roles: isAdministrator ? ['administrator'] : [],
      groups: importedGroups,
      ...password.fields,
    },
    changes,
  );
}

function roleChanges({ realmRoles, clientRoles }: KeycloakUser): readonly string[] {
  const otherRoles = [
    ...realmRoles.filter((name) => !BUILT_IN_ROLES.test(name)),
    ...Object.entries(clientRoles).flatMap(([client, roles]) =>
      roles
        .filter(
          (role) =>
            !BUILT_IN_CLIENTS.includes(client) &&
            !(client === REALM_ADMINISTRATOR.client && role === REALM_ADMINISTRATOR.role),
        )
        .map((role) => `${role} of ${client}`),
    ),
  ];
  return otherRoles.length === 0 ? [] : [`roles: not imported (${otherRoles.join(', ')})`];
}

function otherChanges(user: KeycloakUser): readonly string[] {
  const { attributes, requiredActions, federatedIdentities, credentials } = user;
  const types = new Set(credentials.map(({ type }) => type));
  return [
    ...(types.has('otp') ? ['second factor: not imported, so the user must set up a new one'] : []),
    ...(types.has('webauthn') || types.has('webauthn-passwordless')
      ? ['passkeys: not imported, because they work only at the address of the old server']
      : []),
    ...(federatedIdentities.length > 0 ? ['links to identity providers: not imported'] : []),
    ...(Object.keys(attributes).length > 0 ? [`attributes: not imported (${Object.keys(attributes).join(', ')})`] : []),
    ...(requiredActions.length > 0 ? [`required actions: not imported (${requiredActions.join(', ')})`] : []),
  ];
}

interface PasswordResult {
  readonly fields: object;
  readonly changes: readonly string[];
}

function readPassword({ username, credentials, requiredActions, federationLink }: KeycloakUser): PasswordResult {
  const advice = `set one with grantlog user passwd ${JSON.stringify(username)}`;
  const noPassword = (reason: string): PasswordResult => ({ fields: {}, changes: [`${reason}: ${advice}`] });
  const passwordCredential = credentials.find(({ type }) => type === 'password');
  if (passwordCredential === undefined)
    return noPassword(federationLink ? 'the password is stored in another directory' : 'no password on the old server');
  // Somebody else may know a password that the user has to change.
  if (passwordCredential.temporary || requiredActions.includes('UPDATE_PASSWORD'))
    return noPassword('password not imported, because the user was required to change it');
  if (passwordCredential.value !== undefined) return { fields: { password: passwordCredential.value }, changes: [] };
  const { hash: password_hash, kind } = passwordHash(passwordCredential);
  if (password_hash !== undefined) return { fields: { password_hash }, changes: [] };
  return noPassword(`password not imported, because ${kind} are not supported`);
}

const secretData = z.looseObject({ value: z.string(), salt: z.string() });
const parameter = z.tuple([z.string()]).rest(z.string());
const credentialData = z.looseObject({
  algorithm: z.string(),
  hashIterations: z.int(),
  additionalParameters: z
    .looseObject({ type: parameter, version: parameter, memory: parameter, parallelism: parameter })
    .partial()
    .default({}),
});

const UNNAMED_HASHES = 'hashes of this kind';

/** Returns the kind of the hash, for messages, and the hash in its stored form if this server supports it. */
function passwordHash(passwordCredential: z.output<typeof credential>): {
  readonly hash?: string;
  readonly kind: string;
} {
  const secret = secretData.safeParse(parseJson(passwordCredential.secretData));
  const derivation = credentialData.safeParse(parseJson(passwordCredential.credentialData));
  if (!secret.success || !derivation.success) return { kind: UNNAMED_HASHES };
  const { value, salt } = secret.data;
  const { algorithm, hashIterations: iterations, additionalParameters: parameters } = derivation.data;
  const hash =
    algorithm === 'pbkdf2-sha256'
      ? pbkdf2Hash(iterations, salt, value)
      : algorithm === 'argon2'
        ? argon2Hash(iterations, salt, value, parameters)
        : undefined;
  const parsed = hash === undefined ? undefined : parseImportedHash(hash);
  const kind = /^[\w-]{1,30}$/.test(algorithm) ? `${algorithm} hashes` : UNNAMED_HASHES;
  return parsed === undefined ? { kind } : { hash: parsed, kind };
}

/** Keycloak derives up to 64 bytes. The first 32 do not depend on the rest and are enough to verify a password. */
const DIGEST_BYTES = 32;

function pbkdf2Hash(iterations: number, salt: string, value: string): string {
  const digest = Buffer.from(value, 'base64').subarray(0, DIGEST_BYTES).toString('base64');
  return `pbkdf2_sha256$${iterations}$base64$${salt}$${digest}`;
}

function argon2Hash(
  passes: number,
  salt: string,
  value: string,
  { type, version, memory, parallelism }: z.output<typeof credentialData>['additionalParameters'],
): string | undefined {
  if (type?.[0] !== 'id' || version?.[0] !== '1.3') return undefined;
  const costs = `m=${memory?.[0] ?? ''},t=${passes},p=${parallelism?.[0] ?? ''}`;
  return `$argon2id$v=19$${costs}$${removePadding(salt)}$${removePadding(value)}`;
}

function removePadding(base64: string): string {
  return base64.replace(/=+$/, '');
}

function parseJson(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}
