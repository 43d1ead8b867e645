import { z } from 'zod';
import { parseImportedHash } from '../../domain/password-hashes.ts';
import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { toCandidate, truncate, type Candidate, type ImportResult, type ParsedFile } from './entry.ts';

const key = z.union([z.number(), z.string()]);
const row = z.looseObject({ model: z.string(), pk: key.nullish(), fields: z.looseObject({}) });
const text = z.string().default('');
const flag = z.boolean().default(false);

/** Installations may use custom models, so rows are recognized by their fields. */
const userFields = z.looseObject({
  username: z.string(),
  password: z.string(),
  email: text,
  first_name: text,
  last_name: text,
  is_active: z.boolean().default(true),
  is_staff: flag,
  is_superuser: flag,
  groups: z.array(z.unknown()).default([]),
  user_permissions: z.array(z.unknown()).default([]),
});
const applicationFields = z.looseObject({
  client_id: z.string(),
  client_type: z.string(),
  authorization_grant_type: z.string(),
  client_secret: text,
  name: text,
  redirect_uris: text,
  post_logout_redirect_uris: text,
  allowed_origins: text,
  skip_authorization: flag,
  algorithm: text,
  /** A primary key, or a natural key, which is an array that begins with the user name. */
  user: z.union([key, z.array(key)]).nullish(),
});
const groupFields = z.looseObject({ name: z.string(), permissions: z.array(z.unknown()) });

type UserFields = z.output<typeof userFields>;
type ApplicationFields = z.output<typeof applicationFields>;

const MODEL_NAME = /^[\w.]+$/;

/**
 * Parses the output of `manage.py dumpdata` for a django-oauth-toolkit installation.
 * @throws Error if the file is not a JSON fixture
 */
export function readDjangoOAuthToolkit(file: string): ParsedFile {
  const rows = readFixture(file);
  const userNames = rows.flatMap(({ pk, fields }) => {
    const user = userFields.safeParse(fields);
    return user.success ? [[String(pk), user.data.username] as const] : [];
  });
  const userNameByKey = new Map(userNames);
  const groupNames = rows.flatMap(({ pk, fields }) => {
    const group = groupFields.safeParse(fields);
    return group.success ? [[String(pk), group.data.name] as const] : [];
  });
  const groupNameByKey = new Map(groupNames);
  const candidates: Candidate[] = [];
  const skippedModels = new Map<string, number>();
  for (const { model, pk, fields } of rows) {
    const location = pk === undefined || pk === null ? model : `${model} ${pk}`;
    const [user, application, group] = [
      userFields.safeParse(fields),
      applicationFields.safeParse(fields),
      groupFields.safeParse(fields),
    ];
    if (application.success) candidates.push(readApplication(application.data, location, userNameByKey));
    else if (user.success) candidates.push(readUser(user.data, location, groupNameByKey));
    else if (group.success) candidates.push(readGroup(group.data, location));
    else skippedModels.set(model, (skippedModels.get(model) ?? 0) + 1);
  }
  return { candidates, skipped: [...skippedModels].map(([model, count]) => skippedModel(model, count)) };
}

function readFixture(file: string): readonly z.output<typeof row>[] {
  let content: unknown;
  try {
    content = JSON.parse(file.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error('the file is not JSON: create it with manage.py dumpdata auth oauth2_provider --output FILE');
  }
  const rows = z.array(row).safeParse(content);
  if (!rows.success)
    throw new Error(
      'the file is not a Django fixture: expected objects with model, pk and fields, as written by manage.py dumpdata',
    );
  return rows.data;
}

function readUser(fields: UserFields, location: string, groupNameByKey: ReadonlyMap<string, string>): Candidate {
  const {
    username,
    email,
    first_name,
    last_name,
    is_active: active,
    is_staff,
    is_superuser,
    groups,
    user_permissions,
  } = fields;
  const password = readPassword(fields);
  const names = groups.map((reference) => groupName(reference, groupNameByKey));
  const importedGroups = names.filter((name) => name !== undefined);
  const roles = is_superuser ? ['administrator'] : [];
  const changes = [
    ...password.changes,
    ...(is_superuser ? ['superuser: becomes an administrator'] : []),
    ...(is_staff && !is_superuser ? ['staff status: not imported, because there is no such role'] : []),
    ...(importedGroups.length < names.length
      ? ['group memberships: those in groups outside the file are not imported']
      : []),
    ...(user_permissions.length > 0 ? ['user permissions: not imported'] : []),
  ];
  return toCandidate(
    location,
    { kind: 'user', username, email, first_name, last_name, active, roles, groups: importedGroups, ...password.fields },
    changes,
  );
}

/** Django refers to a group by its primary key, or by its name in a list (a natural key). */
function groupName(reference: unknown, groupNameByKey: ReadonlyMap<string, string>): string | undefined {
  const [name] = Array.isArray(reference) ? (reference as readonly unknown[]) : [];
  return typeof name === 'string' ? name : groupNameByKey.get(String(reference));
}

function readPassword({ password, username }: UserFields): {
  readonly fields: object;
  readonly changes: readonly string[];
} {
  const advice = `set one with grantlog user passwd ${JSON.stringify(username)}`;
  const password_hash = parseImportedHash(password);
  if (password_hash !== undefined) return { fields: { password_hash }, changes: [] };
  if (password === '' || password.startsWith('!'))
    return { fields: {}, changes: [`no usable password on the old server: ${advice}`] };
  return {
    fields: {},
    changes: [`password not imported, because ${algorithmName(password)} hashes are not supported: ${advice}`],
  };
}

function readGroup({ name, permissions }: z.output<typeof groupFields>, location: string): Candidate {
  return toCandidate(location, { kind: 'group', name }, permissions.length > 0 ? ['permissions: not imported'] : []);
}

const GRANT_TYPES = ['authorization-code', 'client-credentials', 'password', 'device-code'];
const UNSUPPORTED_GRANTS: ReadonlyMap<string, string> = new Map([
  [
    'implicit',
    'the implicit grant is not supported (RFC 9700 §2.1.2): change it to the authorization code grant with PKCE on ' +
      'the old server first',
  ],
  [
    'openid-hybrid',
    'the OpenID Connect hybrid flow is not supported: change it to the authorization code grant on the old ' +
      'server first',
  ],
]);

function readApplication(
  fields: ApplicationFields,
  location: string,
  userNameByKey: ReadonlyMap<string, string>,
): Candidate {
  const { client_id, client_type, name, skip_authorization } = fields;
  const grant = grantType(fields);
  const secret = readSecret(fields);
  const idTokens = readAlgorithm(fields);
  const owner = readOwner(fields, userNameByKey);
  const changes = [
    ...secret.changes,
    ...(name === '' ? ['unnamed: its client id becomes its name'] : []),
    ...idTokens.changes,
  ];
  const candidate = toCandidate(
    location,
    {
      kind: 'application',
      client_id,
      name: name || client_id,
      client_type,
      grant_types: [grant].filter((type) => GRANT_TYPES.includes(type)),
      redirect_uris: splitAtSpaces(fields.redirect_uris),
      post_logout_redirect_uris: splitAtSpaces(fields.post_logout_redirect_uris),
      allowed_origins: splitAtSpaces(fields.allowed_origins),
      skip_authorization,
      owner: owner ?? null,
      ...secret.fields,
      ...idTokens.fields,
    },
    changes,
  );
  const problem = GRANT_TYPES.includes(grant)
    ? undefined
    : (UNSUPPORTED_GRANTS.get(grant) ?? `the grant type ${grant} is not supported`);
  const refusal =
    problem ??
    idTokens.problem ??
    (owner === undefined
      ? `its owner, user ${String(fields.user)}, is not in the file: include the users in the dump`
      : candidate.problem);
  return refusal === null ? candidate : { ...candidate, entry: null, problem: truncate(refusal) };
}

/** The toolkit's name for this grant is the value of `grant_type` at the token endpoint (RFC 8628 §3.4). */
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

function grantType({ authorization_grant_type: grant }: ApplicationFields): string {
  return grant === DEVICE_GRANT || grant === 'device_code' ? 'device-code' : grant;
}

interface IdTokenSettings {
  readonly fields: object;
  readonly changes: readonly string[];
  readonly problem: string | undefined;
}

/**
 * Reads the algorithm for ID tokens. The toolkit offers RS256, HS256, and an empty value for applications without
 * OpenID Connect.
 */
function readAlgorithm(fields: ApplicationFields): IdTokenSettings {
  const { algorithm, name, client_id } = fields;
  const defaults = { fields: {}, changes: [], problem: undefined };
  if (algorithm === '') return defaults;
  if (!['authorization-code', 'device-code'].includes(grantType(fields)))
    return {
      ...defaults,
      changes: [`ID token algorithm ${algorithm} not imported: the application gets no ID tokens`],
    };
  if (SIGNING_ALGORITHMS.some((supported) => supported === algorithm))
    return { ...defaults, fields: { id_token_algorithm: algorithm }, changes: [NEW_SUBJECTS] };
  const signer =
    algorithm === 'HS256'
      ? 'its client secret (HS256), but this server stores only hashes of secrets'
      : `${algorithm}, which is not supported`;
  const finding = `the ID tokens of ${JSON.stringify(name || client_id)} are signed with ${signer}`;
  return { ...defaults, problem: `${finding}: change the algorithm to RS256 on the old server first` };
}

const NEW_SUBJECTS =
  'its ID tokens identify users by new ids (sub), so it must find existing users in another way, such as by e-mail ' +
  'address';

/** Returns the owner's name, null if there is no owner, or undefined if the file has no user with the primary key. */
function readOwner({ user }: ApplicationFields, userNameByKey: ReadonlyMap<string, string>): string | null | undefined {
  if (user === null || user === undefined) return null;
  return Array.isArray(user) ? String(user[0]) : userNameByKey.get(String(user));
}

/**
 * Secrets that are hashes are recognized by their format, because the toolkit's `hash_client_secret` flag applies only
 * to the next secret.
 */
const HASH_FORMAT = /^(?:pbkdf2_sha1|pbkdf2_sha256|argon2|bcrypt|bcrypt_sha256|scrypt|md5)\$/;

function readSecret({ client_id, client_secret, client_type }: ApplicationFields): {
  readonly fields: object;
  readonly changes: readonly string[];
} {
  const advice = client_type === 'public' ? '' : `: set one with grantlog client rotate-secret ${client_id}`;
  if (client_secret === '')
    return { fields: {}, changes: client_type === 'public' ? [] : [`no secret on the old server${advice}`] };
  if (!HASH_FORMAT.test(client_secret))
    return { fields: { client_secret }, changes: ['its plain-text secret is stored as a hash'] };
  const client_secret_hash = parseImportedHash(client_secret);
  if (client_secret_hash !== undefined) return { fields: { client_secret_hash }, changes: [] };
  return {
    fields: {},
    changes: [`secret not imported, because ${algorithmName(client_secret)} hashes are not supported${advice}`],
  };
}

/** Returns the algorithm name at the start of a hash, for a message, or `such` if the hash has none. */
function algorithmName(hash: string): string {
  const [algorithm = ''] = hash.split('$');
  return /^[a-z]\w{1,30}$/.test(algorithm) && hash.includes('$') ? algorithm : 'such';
}

function splitAtSpaces(list: string): readonly string[] {
  return list.split(/\s+/).filter((item) => item !== '');
}

const TOKEN_MODELS = /\.(?:access|refresh|id)token$|\.(?:device)?grant$/;

function skippedModel(model: string, count: number): ImportResult {
  const says = TOKEN_MODELS.test(model)
    ? 'not imported: users log in and consent again, and applications get new tokens'
    : 'not imported: no equivalent';
  return { kind: MODEL_NAME.test(model) ? model : 'other', name: `${count}`, from: '', outcome: 'left', says: [says] };
}
