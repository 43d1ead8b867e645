import { z } from 'zod';
import { toCandidate, truncate, type Candidate, type ImportResult, type ParsedFile } from './entry.ts';
import { isBuiltInClient, keycloakClient, readKeycloakClient, type KeycloakClient } from './keycloak-clients.ts';
import { BUILT_IN_ROLES, isServiceAccount, keycloakUser, readKeycloakUser } from './keycloak-users.ts';

/** A group with its subgroups. */
const groupFields = z.looseObject({
  name: z.string(),
  subGroups: z.array(z.unknown()).default([]),
  attributes: z.record(z.string(), z.unknown()).default({}),
  realmRoles: z.array(z.unknown()).default([]),
  clientRoles: z.record(z.string(), z.unknown()).default({}),
});
const namedObject = z.looseObject({ name: z.string() });
const realmFields = z.looseObject({
  realm: z.string(),
  users: z.array(keycloakUser).default([]),
  clients: z.array(keycloakClient).default([]),
  groups: z.array(groupFields).default([]),
  roles: z
    .looseObject({
      realm: z.array(namedObject).default([]),
      client: z.record(z.string(), z.array(namedObject)).default({}),
    })
    .default({ realm: [], client: {} }),
  clientScopes: z.array(namedObject).default([]),
  identityProviders: z.array(z.unknown()).default([]),
  organizations: z.array(z.unknown()).default([]),
  components: z.record(z.string(), z.array(z.unknown())).default({}),
});
type Realm = z.output<typeof realmFields>;

const EXPORT = 'kc.sh export --file FILE --realm REALM';
/** Limits the recursion depth. */
const MAX_GROUP_DEPTH = 32;

/**
 * Parses the export of a Keycloak realm: its clients, its users with their groups, and the parts that are skipped.
 * @throws Error if the file is not the export of exactly one realm
 */
export function readKeycloak(file: string): ParsedFile {
  const realm = readRealm(file);
  const groups = realm.groups.flatMap((group) => readGroup(group, '', 1));
  const names = new Set(groups.map(({ name }) => name));
  return {
    candidates: [
      ...groups,
      ...realm.users.flatMap((user, index) =>
        isServiceAccount(user) ? [] : [readKeycloakUser(user, `user ${index + 1}`, names)],
      ),
      ...realm.clients.flatMap((client, index) =>
        skipReason(client) === undefined ? [readKeycloakClient(client, `client ${index + 1}`)] : [],
      ),
    ],
    skipped: [...realm.clients.flatMap(skippedClient), ...skippedParts(realm)],
  };
}

function readRealm(file: string): Realm {
  let content: unknown;
  try {
    content = JSON.parse(file.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error(`the file is not JSON: create it with ${EXPORT}`);
  }
  // Without --realm, all realms are in one array.
  const realms = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  if (realms.length !== 1) throw new Error(`the file has ${realms.length} realms: export one of them with ${EXPORT}`);
  const realm = realmFields.safeParse(realms[0]);
  if (realm.success) return realm.data;
  const [{ path, message } = { path: [], message: '' }] = realm.error.issues;
  // The value is not quoted, because it may be a secret.
  throw new Error(
    `the file is not the export of a Keycloak realm, as written by ${EXPORT}: ${[...path, message].join(': ')}`,
  );
}

/** Returns the group, followed by its subgroups as separate groups, which are named after their paths. */
function readGroup(fields: unknown, parent: string, depth: number): readonly Candidate[] {
  const group = groupFields.safeParse(fields);
  if (!group.success || depth > MAX_GROUP_DEPTH)
    return [
      {
        ...toCandidate(`subgroup of ${parent}`, {}),
        problem: `it is not a valid group, or is nested more than ${MAX_GROUP_DEPTH} levels deep`,
        entry: null,
      },
    ];
  const { name, subGroups, attributes, realmRoles, clientRoles } = group.data;
  const path = `${parent}/${name}`;
  const hasRoles = realmRoles.length > 0 || Object.keys(clientRoles).length > 0;
  const changes = [
    ...(parent === '' ? [] : ['subgroup: becomes a separate group, without the members of its subgroups']),
    ...(hasRoles ? ['roles of its members: not imported'] : []),
    ...(Object.keys(attributes).length > 0 ? ['attributes: not imported'] : []),
  ];
  return [
    toCandidate(`group ${path}`, { kind: 'group', name: path.slice(1) }, changes),
    ...subGroups.flatMap((subgroup) => readGroup(subgroup, path, depth + 1)),
  ];
}

/** Returns the reason to skip a client, or undefined if the client is imported. */
function skipReason(client: KeycloakClient): string | undefined {
  if (isBuiltInClient(client)) return 'not imported: part of Keycloak itself';
  if (client.protocol === 'saml') return 'not imported: SAML is not supported';
  if (!client.enabled) return 'not imported: disabled on the old server; if it is needed, enable it there first';
  if (client.bearerOnly) return 'not imported: it only accepts tokens, so register it with grantlog resource add';
  return undefined;
}

function skippedClient(client: KeycloakClient): readonly ImportResult[] {
  const reason = skipReason(client);
  return reason === undefined ? [] : [skippedResult('client', client.clientId, reason)];
}

const OPENID_SCOPES = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
const KEYCLOAK_SCOPES = [
  'roles',
  'web-origins',
  'microprofile-jwt',
  'acr',
  'basic',
  'role_list',
  'service_account',
  'organization',
  'saml_organization',
];

/** Returns a result for each kind of object that has no equivalent or that the operator has to create. */
function skippedParts({ users, roles, clientScopes, identityProviders, organizations, components }: Realm) {
  const customScopes = clientScopes.filter(({ name }) => ![...OPENID_SCOPES, ...KEYCLOAK_SCOPES].includes(name));
  const customRoles = roles.realm.filter(({ name }) => !BUILT_IN_ROLES.test(name));
  const clientRoles = Object.entries(roles.client)
    .filter(([clientId]) => !isBuiltInClient({ clientId }))
    .flatMap(([, rolesOfClient]) => rolesOfClient);
  const storageProviders = components['org.keycloak.storage.UserStorageProvider'] ?? [];
  const keyProviders = components['org.keycloak.keys.KeyProvider'] ?? [];
  const parts: readonly (readonly [kind: string, count: number, reason: string])[] = [
    ['client scope', customScopes.length, 'not imported: add each with grantlog scope add'],
    ['realm role', customRoles.length, 'not imported: roles of applications have no equivalent, so use groups'],
    ['client role', clientRoles.length, 'not imported: roles of applications have no equivalent, so use groups'],
    ['identity provider', identityProviders.length, 'not imported: add each with grantlog provider set'],
    ['user federation', storageProviders.length, 'not imported: other user directories are not supported'],
    ['organization', organizations.length, 'not imported: no equivalent'],
    ['service account', users.filter(isServiceAccount).length, 'not imported: clients need no user account'],
    ['signing key', keyProviders.length, 'not imported: this server has its own keys'],
  ];
  return parts.flatMap(([kind, count, reason]) => (count === 0 ? [] : [skippedResult(kind, `${count}`, reason)]));
}

function skippedResult(kind: string, name: string, reason: string): ImportResult {
  return { kind, name: truncate(name), from: '', outcome: 'left', says: [reason] };
}
