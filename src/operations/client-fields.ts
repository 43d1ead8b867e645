import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { SUBJECT_TYPES } from '../domain/openid-settings.ts';
import { SECURITY_PROFILES } from '../domain/security-settings.ts';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  CLIENT_MODES,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
} from '../domain/values.ts';
import type { OpenIdFields } from '../oauth/clients/openid-rules.ts';
import type { PresentationFields } from '../oauth/clients/presentation-rules.ts';
import type { SecurityFields } from '../oauth/clients/security-rules.ts';

export const text = z.string().max(OPERATION_TEXTS.checkedText);
const algorithm = z.enum(SIGNING_ALGORITHMS);
const openIdFields = z
  .strictObject({
    idTokenAlgorithm: algorithm,
    userinfoAlgorithm: algorithm.nullable(),
    subjectType: z.enum(SUBJECT_TYPES),
    sectorIdentifierUri: text.nullable(),
    postLogoutRedirectUris: z.array(text),
    backchannelLogoutUri: text.nullable(),
    backchannelLogoutSessionRequired: z.boolean(),
    initiateLoginUri: text.nullable(),
    defaultMaxAgeSeconds: z.int().nullable(),
    requireAuthTime: z.boolean(),
  })
  .partial()
  .transform((values): OpenIdFields => omitUndefined(values));
const presentationFields = z
  .strictObject({
    description: text.nullable(),
    homepageUri: text.nullable(),
    policyUri: text.nullable(),
    tosUri: text.nullable(),
  })
  .partial()
  .transform((values): PresentationFields => omitUndefined(values));
const securityFields = z
  .strictObject({
    profile: z.enum(SECURITY_PROFILES).nullable(),
    dpopBoundAccessTokens: z.boolean(),
    tlsBoundAccessTokens: z.boolean(),
    requirePushedAuthorizationRequests: z.boolean(),
    requireSignedRequestObject: z.boolean(),
    requestObjectAlgorithm: algorithm.nullable(),
    requestUris: z.array(text),
    authorizationResponseAlgorithm: algorithm,
    introspectionAlgorithm: algorithm,
  })
  .partial()
  .transform((values): SecurityFields => omitUndefined(values));
/** The input of the operations that register or update a client. `Registration` validates the strings. */
export const clientFields = {
  name: text,
  clientType: text,
  grantTypes: z.array(text),
  applicationType: z.enum(APPLICATION_TYPES).optional(),
  detailTypes: z.array(text).nullable().optional(),
  redirectUris: z.array(text),
  builtinCallback: z.boolean().optional(),
  allowedOrigins: z.array(text),
  skipAuthorization: z.boolean(),
  secondFactorRequired: z.boolean().optional(),
  restrictedScopes: z.array(z.enum(RESTRICTED_SCOPES)).optional(),
  accessTokenFormat: z.enum(ACCESS_TOKEN_FORMATS).optional(),
  accessTokenAlgorithm: algorithm.optional(),
  mode: z.enum(CLIENT_MODES).optional(),
  openid: openIdFields.optional(),
  presentation: presentationFields.optional(),
  security: securityFields.optional(),
};

export function omitUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
