import { z } from 'zod';
import { parseImportedHash } from '../../domain/password-hashes.ts';
import { toCandidate, truncate, type Candidate, type ImportResult, type ParsedFile } from './entry.ts';

const key = z.union([z.number(), z.string()]);
const row = z.looseObject({ model: z.string(), pk: key.nullish(), fields: z.looseObject({}) });
const text = z.string().default('');
const flag = z.boolean().default(false);

/** Models of one's own stand in for Django's and the toolkit's: they are known by their fields. */
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
  /** A key; of two or more parts, or a name, where the fixture was made with natural keys. */
  user: z.union([key, z.array(key)]).nullish(),
});
const groupFields = z.looseObject({ name: z.string(), permissions: z.array(z.unknown()) });

type UserFields = z.output<typeof userFields>;
type ApplicationFields = z.output<typeof applicationFields>;

const MODEL_NAME = /^[\w.]+$/;

/**
 * What `manage.py dumpdata` wrote of an installation of django-oauth-toolkit.
 * @throws Error it is no fixture in JSON
 */
export function readDjangoOAuthToolkit(file: string): ParsedFile {
  const rows = readFixture(file);
  const people = rows.flatMap(({ pk, fields }) => {
    const known = userFields.safeParse(fields);
    return known.success ? [[String(pk), known.data.username] as const] : [];
  });
  const nameOf = new Map(people);
  const candidates: Candidate[] = [];
  const others = new Map<string, number>();
  for (const { model, pk, fields } of rows) {
    const from = pk === undefined || pk === null ? model : `${model} ${pk}`;
    const [user, application, group] = [
      userFields.safeParse(fields),
      applicationFields.safeParse(fields),
      groupFields.safeParse(fields),
    ];
    if (application.success) candidates.push(readApplication(application.data, from, nameOf));
    else if (user.success) candidates.push(readUser(user.data, from));
    else if (group.success) candidates.push(readGroup(group.data, from));
    else others.set(model, (others.get(model) ?? 0) + 1);
  }
  return { candidates, skipped: [...others].map(([model, count]) => skippedModel(model, count)) };
}

function readFixture(file: string): readonly z.output<typeof row>[] {
  let said: unknown;
  try {
    said = JSON.parse(file.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error('the file is not JSON: write it with manage.py dumpdata auth oauth2_provider --output FILE');
  }
  const rows = z.array(row).safeParse(said);
  if (!rows.success)
    throw new Error(
      'the file is not a fixture: manage.py dumpdata writes an array of objects with model, pk and fields',
    );
  return rows.data;
}

function readUser(fields: UserFields, from: string): Candidate {
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
  const roles = is_superuser ? ['administrator'] : [];
  const changes = [
    ...password.changes,
    ...(is_superuser ? ['a superuser there is an administrator here'] : []),
    ...(is_staff && !is_superuser ? ['staff there, without a role here'] : []),
    ...(groups.length > 0 ? ['a member of groups there, which have no members here'] : []),
    ...(user_permissions.length > 0 ? ['permissions of its own there; there are none here'] : []),
  ];
  return toCandidate(
    from,
    { kind: 'user', username, email, first_name, last_name, active, roles, ...password.kept },
    changes,
  );
}

function readPassword({ password, username }: UserFields): {
  readonly kept: object;
  readonly changes: readonly string[];
} {
  const toDo = `give one with grantlog user passwd ${JSON.stringify(username)}`;
  const password_hash = parseImportedHash(password);
  if (password_hash !== undefined) return { kept: { password_hash }, changes: [] };
  if (password === '' || password.startsWith('!'))
    return { kept: {}, changes: [`no usable password, neither there nor here: ${toDo}`] };
  return {
    kept: {},
    changes: [`no password here, for ${algorithmName(password)} hashes are not verified here: ${toDo}`],
  };
}

function readGroup({ name, permissions }: z.output<typeof groupFields>, from: string): Candidate {
  return toCandidate(
    from,
    { kind: 'group', name },
    permissions.length > 0 ? ['permissions there; there are none here'] : [],
  );
}

const GRANT_TYPES = ['authorization-code', 'client-credentials', 'password'];
const UNSUPPORTED_GRANTS: ReadonlyMap<string, string> = new Map([
  [
    'implicit',
    'the implicit grant is not served here (RFC 9700 §2.1.2): let it use the authorization code grant with PKCE, and set that on the old server first',
  ],
  [
    'openid-hybrid',
    'the hybrid flow of OpenID Connect is not served here: let it use the authorization code grant, and set that on the old server first',
  ],
]);

function readApplication(fields: ApplicationFields, from: string, nameOf: ReadonlyMap<string, string>): Candidate {
  const {
    client_id,
    client_type,
    authorization_grant_type: grant,
    name,
    skip_authorization,
    post_logout_redirect_uris,
    algorithm,
  } = fields;
  const secret = readSecret(fields);
  const owner = readOwner(fields, nameOf);
  const changes = [
    ...secret.changes,
    ...(name === '' ? ['without a name there; its client id is its name here'] : []),
    ...(post_logout_redirect_uris === ''
      ? []
      : [`there is no log-out by an application here: without ${post_logout_redirect_uris}`]),
    ...(algorithm === '' ? [] : [`no ID tokens here, so none signed with ${algorithm}`]),
  ];
  const read = toCandidate(
    from,
    {
      kind: 'application',
      client_id,
      name: name || client_id,
      client_type,
      grant_types: [grant].filter((known) => GRANT_TYPES.includes(known)),
      redirect_uris: splitWords(fields.redirect_uris),
      allowed_origins: splitWords(fields.allowed_origins),
      skip_authorization,
      owner: owner ?? null,
      ...secret.kept,
    },
    changes,
  );
  const problem = GRANT_TYPES.includes(grant)
    ? undefined
    : (UNSUPPORTED_GRANTS.get(grant) ?? `the grant type ${grant} is not served here`);
  const refused =
    problem ??
    (owner === undefined
      ? `its owner, user ${String(fields.user)}, is not in the file: dump the users as well`
      : read.problem);
  return refused === null ? read : { ...read, entry: null, problem: truncate(refused) };
}

/** Null: nobody's. Undefined: of somebody who is not in the file. */
function readOwner({ user }: ApplicationFields, nameOf: ReadonlyMap<string, string>): string | null | undefined {
  if (user === null || user === undefined) return null;
  return Array.isArray(user) ? String(user[0]) : nameOf.get(String(user));
}

/** Whether a secret is a hash shows in itself, there as here; the flag beside it says what to do with the next one. */
const HASH_FORMAT = /^(?:pbkdf2_sha1|pbkdf2_sha256|argon2|bcrypt|bcrypt_sha256|scrypt|md5)\$/;

function readSecret({ client_id, client_secret, client_type }: ApplicationFields): {
  readonly kept: object;
  readonly changes: readonly string[];
} {
  const toDo = client_type === 'public' ? '' : `: give it one with grantlog client rotate-secret ${client_id}`;
  if (client_secret === '')
    return { kept: {}, changes: client_type === 'public' ? [] : [`no secret, neither there nor here${toDo}`] };
  if (!HASH_FORMAT.test(client_secret))
    return { kept: { client_secret }, changes: ['its secret was kept in the clear there, and is not here'] };
  const client_secret_hash = parseImportedHash(client_secret);
  if (client_secret_hash !== undefined) return { kept: { client_secret_hash }, changes: [] };
  return {
    kept: {},
    changes: [`no secret here, for ${algorithmName(client_secret)} hashes are not verified here${toDo}`],
  };
}

/** Never more of it than its name, and that only where it is one. */
function algorithmName(hash: string): string {
  const [algorithm = ''] = hash.split('$');
  return /^[a-z]\w{1,30}$/.test(algorithm) && hash.includes('$') ? algorithm : 'such';
}

function splitWords(list: string): readonly string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}

const TOKEN_MODELS = /\.(?:access|refresh|id)token$|\.(?:device)?grant$/;

function skippedModel(model: string, count: number): ImportResult {
  const says = TOKEN_MODELS.test(model)
    ? 'applications get new ones here: people log in again, and are asked again'
    : 'nothing here corresponds to it';
  return { kind: MODEL_NAME.test(model) ? model : 'other', name: `${count}`, from: '', outcome: 'left', says: [says] };
}
