import { z } from 'zod';
import { CLIENT_AUTHENTICATION_METHODS } from '../../domain/client-authentication.ts';
import { DEFAULT_OPENID, SUBJECT_TYPES } from '../../domain/openid-settings.ts';
import { SECURITY_PROFILES } from '../../domain/security-settings.ts';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  CLIENT_TYPES,
  REGISTERED_GRANTS,
  SIGNING_ALGORITHMS,
} from '../../domain/values.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { IMPORTABLE_HASHES, parseImportedHash } from '../../domain/password-hashes.ts';
import { OPERATION_TEXTS } from '../../config/input-limits.ts';
import { rolesInput } from './roles-input.ts';

/** A hash that this server can verify, in its stored form. */
const hash = z
  .string()
  .max(OPERATION_TEXTS.passwordHash)
  .transform((text, context) => {
    const parsed = parseImportedHash(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `unsupported hash: this server can verify ${IMPORTABLE_HASHES}` });
    return z.NEVER;
  });
const userName = z.string().max(OPERATION_TEXTS.userName);
const text = z.string().max(OPERATION_TEXTS.checkedText);
const texts = z.array(text).default([]);

const user = z.strictObject({
  kind: z.literal('user'),
  username: userName,
  /** In plain text; the alternative is `password_hash`. Without either, the user needs a new password to log in. */
  password: z.string().min(1).max(MAX_LENGTH.password).optional(),
  password_hash: hash.optional(),
  email: text.default(''),
  /** Whether the other server has verified the address. */
  email_verified: z.boolean().default(false),
  first_name: text.default(''),
  last_name: text.default(''),
  active: z.boolean().default(true),
  roles: rolesInput.default([]),
  /** The names of groups that exist or are in the same file. */
  groups: texts,
});

const group = z.strictObject({ kind: z.literal('group'), name: text });

const algorithm = z.enum(SIGNING_ALGORITHMS);
const textOrNull = text.nullable().default(null);

/** An application's settings for OpenID Connect, with the names and defaults of this server. */
const openId = {
  /** By default, the algorithm of the security profile, or RS256; an existing application keeps its algorithm. */
  id_token_algorithm: algorithm.optional(),
  userinfo_algorithm: algorithm.nullable().default(null),
  subject_type: z.enum(SUBJECT_TYPES).default(DEFAULT_OPENID.subjectType),
  sector_identifier_uri: textOrNull,
  post_logout_redirect_uris: texts,
  backchannel_logout_uri: textOrNull,
  backchannel_logout_session_required: z.boolean().default(false),
  initiate_login_uri: textOrNull,
  /** Seconds. */
  default_max_age: z.int().nullable().default(null),
  require_auth_time: z.boolean().default(false),
};

/** The presentation of the application to users. The URIs have the names from RFC 7591 §2. */
const presentation = { description: textOrNull, client_uri: textOrNull, policy_uri: textOrNull, tos_uri: textOrNull };

/** How the application authenticates: by default with its keys if it has any, otherwise according to its type. */
const authentication = {
  auth_methods: z.array(z.enum(CLIENT_AUTHENTICATION_METHODS)).optional(),
  /** The URL where it publishes its keys, or the public keys themselves (RFC 7517 §5). */
  jwks_uri: text.optional(),
  jwks: z.looseObject({ keys: z.array(z.record(text, z.union([text, z.array(text)]))) }).optional(),
};

/**
 * How the application's tokens and messages are protected: the security profile, and members with the names of
 * registered client metadata. For a missing setting, a new application gets the default, and an existing one keeps its
 * value.
 */
const security = {
  profile: z.enum(SECURITY_PROFILES).nullable().optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  tls_client_certificate_bound_access_tokens: z.boolean().optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  require_signed_request_object: z.boolean().optional(),
  request_object_signing_alg: algorithm.nullable().optional(),
  request_uris: z.array(text).optional(),
  authorization_signed_response_alg: algorithm.optional(),
  introspection_signed_response_alg: algorithm.optional(),
};

const application = z.strictObject({
  kind: z.literal('application'),
  client_id: text,
  /** In plain text; the alternative is `client_secret_hash`. Without either, a confidential client needs a new one. */
  client_secret: text.optional(),
  client_secret_hash: hash.optional(),
  name: text,
  client_type: z.enum(CLIENT_TYPES),
  grant_types: z.array(z.enum(REGISTERED_GRANTS)),
  redirect_uris: texts,
  allowed_origins: texts,
  skip_authorization: z.boolean().default(false),
  access_token_format: z.enum(ACCESS_TOKEN_FORMATS).default('opaque'),
  /** By default, an existing application keeps its algorithm. */
  access_token_algorithm: algorithm.optional(),
  application_type: z.enum(APPLICATION_TYPES).optional(),
  ...openId,
  ...presentation,
  ...authentication,
  ...security,
  /** The user name of the owner. */
  owner: userName.nullable().default(null),
});

const KIND_RULE = 'must be user, group or application';

/** An entry that can be imported, as on a line of the file for `grantlog import jsonl`. */
const entrySchema = z
  .discriminatedUnion('kind', [user, group, application], {
    error: ({ code }) => (code === 'invalid_union' ? KIND_RULE : undefined),
  })
  .superRefine((entry, context) => {
    if (entry.kind === 'user' && entry.password !== undefined && entry.password_hash !== undefined)
      context.addIssue({ code: 'custom', message: 'specify password or password_hash, not both' });
    if (entry.kind === 'application' && entry.client_secret !== undefined && entry.client_secret_hash !== undefined)
      context.addIssue({ code: 'custom', message: 'specify client_secret or client_secret_hash, not both' });
  });
export type Entry = z.output<typeof entrySchema>;
export type UserEntry = z.output<typeof user>;
export type GroupEntry = z.output<typeof group>;
export type ApplicationEntry = z.output<typeof application>;

const shortText = z.string().max(OPERATION_TEXTS.displayedText);

/** An entry in a file, with all information about its import that depends only on the file. */
export const candidateSchema = z.strictObject({
  kind: shortText,
  name: shortText,
  /** The entry's location in the file. */
  from: shortText,
  /** Null if there is a problem. */
  entry: entrySchema.nullable(),
  /** The differences between the imported entry and the original, for the operator. */
  changes: z.array(shortText),
  /** Why the entry cannot be imported, with advice for the operator. */
  problem: shortText.nullable(),
});
export type Candidate = z.output<typeof candidateSchema>;

/** The outcome for a candidate; in a dry run, the expected outcome. */
export interface ImportResult {
  readonly kind: string;
  readonly name: string;
  readonly from: string;
  /**
   * `taken`: imported unchanged; `changed`: imported with changes; `there`: already present and equal; `refused`: not
   * imported because of a problem; `left`: skipped, for example because it has no equivalent.
   */
  readonly outcome: 'taken' | 'changed' | 'there' | 'refused' | 'left';
  readonly says: readonly string[];
}

/** A parsed file. */
export interface ParsedFile {
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly ImportResult[];
}

/** Validates `fields` and returns a candidate, which has a problem if they are invalid. */
export function toCandidate(location: string, fields: unknown, changes: readonly string[] = []): Candidate {
  const {
    kind,
    username,
    client_id: clientId,
    name,
  } = fields !== null && typeof fields === 'object' ? (fields as Record<string, unknown>) : {};
  const common = {
    kind: firstString(kind),
    name: firstString(username, clientId, name),
    from: truncate(location),
    changes: changes.map(truncate),
  };
  const parsed = entrySchema.safeParse(fields);
  if (parsed.success) return { ...common, entry: parsed.data, problem: null };
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  return { ...common, entry: null, problem: truncate(problems.join('; ')) };
}

function firstString(...values: readonly unknown[]): string {
  return truncate(values.find((value) => typeof value === 'string') ?? '');
}

/** Truncates text from a file to the maximum length of a text in a candidate. */
export function truncate(value: string): string {
  const limit = OPERATION_TEXTS.displayedText;
  return value.length > limit ? `${value.slice(0, limit - 1)}…` : value;
}
