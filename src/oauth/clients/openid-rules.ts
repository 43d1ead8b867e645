import { DEFAULT_OPENID, SUBJECT_TYPES, type OpenIdSettings } from '../../domain/openid-settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { SIGNING_ALGORITHMS, type ClientType } from '../../domain/values.ts';
import { sectorHosts } from '../openid/subjects.ts';
import { redirectUriProblem, uriFormProblem, type ClientUris, type RedirectUriSettings } from './redirect-uris.ts';
import { uriListProblem } from './uri-lists.ts';
import { message, type Message, type Text } from '../../language/message.ts';

/** A client's OpenID Connect settings as entered, not yet validated. Omitted members get their defaults. */
export interface OpenIdFields {
  readonly idTokenAlgorithm?: string;
  readonly userinfoAlgorithm?: string | null;
  readonly subjectType?: string;
  readonly sectorIdentifierUri?: string | null;
  readonly postLogoutRedirectUris?: readonly string[];
  readonly backchannelLogoutUri?: string | null;
  readonly backchannelLogoutSessionRequired?: boolean;
  readonly initiateLoginUri?: string | null;
  /** Seconds; a string as the user entered it, not yet parsed. */
  readonly defaultMaxAgeSeconds?: number | string | null;
  readonly requireAuthTime?: boolean;
}

/** The problem with each member; undefined for a valid one. */
export type OpenIdProblems = { readonly [Member in keyof OpenIdSettings]?: Text | undefined };

/** The part of a registration that the rules for OpenID Connect depend on. */
export interface OpenIdContext {
  readonly clientType: ClientType;
  readonly redirectUris: readonly string[];
  readonly settings: RedirectUriSettings;
  /** The URIs that the client already has, which are not checked again. */
  readonly existing: ClientUris['openid'];
}

type UriKind = 'post_logout' | 'back_channel' | 'initiate_login' | 'sector';

/** Ten years. */
const MAX_DEFAULT_MAX_AGE_SECONDS = 315_360_000;

/** Returns the problem with each invalid member, and the validated settings if all members are valid. */
export function checkOpenId(
  fields: OpenIdFields,
  context: OpenIdContext,
): { readonly settings: OpenIdSettings | undefined; readonly problems: OpenIdProblems } {
  const mergedFields = { ...DEFAULT_OPENID, ...fields };
  const idTokenAlgorithm = findName(SIGNING_ALGORITHMS, mergedFields.idTokenAlgorithm);
  const userinfoAlgorithm =
    mergedFields.userinfoAlgorithm === null ? null : findName(SIGNING_ALGORITHMS, mergedFields.userinfoAlgorithm);
  const subjectType = findName(SUBJECT_TYPES, mergedFields.subjectType);
  const postLogoutRedirectUris = [...new Set(mergedFields.postLogoutRedirectUris)];
  const defaultMaxAgeSeconds = parseSeconds(mergedFields.defaultMaxAgeSeconds);
  const problems: OpenIdProblems = {
    idTokenAlgorithm:
      idTokenAlgorithm === undefined
        ? message('client.id-token-algorithm', { choices: SIGNING_ALGORITHMS.join(', ') })
        : undefined,
    userinfoAlgorithm:
      userinfoAlgorithm === undefined
        ? message('client.userinfo-algorithm', { choices: SIGNING_ALGORITHMS.join(', ') })
        : undefined,
    subjectType:
      subjectType === undefined
        ? message('client.subject-type', { one: SUBJECT_TYPES[0], other: SUBJECT_TYPES[1] })
        : undefined,
    sectorIdentifierUri: sectorIdentifierUriProblem(mergedFields, context),
    postLogoutRedirectUris: postLogoutRedirectUrisProblem(postLogoutRedirectUris, context),
    backchannelLogoutUri: backchannelLogoutUriProblem(mergedFields.backchannelLogoutUri, context),
    initiateLoginUri: httpsUriProblem('initiate_login', mergedFields.initiateLoginUri),
    defaultMaxAgeSeconds:
      defaultMaxAgeSeconds === undefined
        ? message('client.max-age', { limit: MAX_DEFAULT_MAX_AGE_SECONDS })
        : undefined,
  };
  const hasUndefined =
    idTokenAlgorithm === undefined ||
    userinfoAlgorithm === undefined ||
    subjectType === undefined ||
    defaultMaxAgeSeconds === undefined;
  const isInvalid = hasUndefined || Object.values(problems).some((problem) => problem !== undefined);
  const settings = isInvalid
    ? undefined
    : {
        ...mergedFields,
        idTokenAlgorithm,
        userinfoAlgorithm,
        subjectType,
        postLogoutRedirectUris,
        defaultMaxAgeSeconds,
      };
  return { settings, problems };
}

/**
 * Returns why logout tokens may not be sent to the URI, as the end of a sentence that starts with the URI, or undefined
 * if they may be sent (OpenID Connect Back-Channel Logout §2.2).
 */
export function logoutUriProblem(
  uri: string,
  clientType: ClientType,
  settings: RedirectUriSettings,
): Message | undefined {
  const formProblem = uriFormProblem(uri);
  if (formProblem !== undefined) return formProblem;
  const { protocol } = new URL(uri);
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:') return message('uri.https');
  if (clientType === 'public') return message('uri.https-for-public');
  return redirectUriProblem(uri, clientType, settings);
}

function postLogoutRedirectUrisProblem(
  uris: readonly string[],
  { clientType, settings, existing }: OpenIdContext,
): Text | undefined {
  return uriListProblem(uris, 'post_logout', (uri) =>
    existing.postLogoutRedirectUris.includes(uri)
      ? undefined
      : asSentence('post_logout', uri, redirectUriProblem(uri, clientType, settings)),
  );
}

function backchannelLogoutUriProblem(
  uri: string | null,
  { clientType, settings, existing }: OpenIdContext,
): Text | undefined {
  if (uri === null || uri === existing.backchannelLogoutUri) return undefined;
  return asSentence('back_channel', uri, logoutUriProblem(uri, clientType, settings));
}

/**
 * Returns the problem with the URI of the sector document, or undefined if the URI is valid. Without a document, the
 * host of the redirect URIs is the sector, so they must not have different hosts (OpenID Connect Core §8.1).
 */
function sectorIdentifierUriProblem(
  { subjectType, sectorIdentifierUri }: OpenIdFields,
  { redirectUris }: OpenIdContext,
): Text | undefined {
  if (typeof sectorIdentifierUri === 'string') return httpsUriProblem('sector', sectorIdentifierUri);
  if (subjectType !== 'pairwise') return undefined;
  const hosts = sectorHosts(redirectUris.filter((uri) => uriFormProblem(uri) === undefined));
  return hosts.length <= 1 ? undefined : message('client.sector', { hosts: hosts.join(', ') });
}

function httpsUriProblem(kind: UriKind, uri: string | null): Text | undefined {
  if (uri === null) return undefined;
  const isHttps = () => new URL(uri).protocol === 'https:';
  return asSentence(kind, uri, uriFormProblem(uri) ?? (isHttps() ? undefined : message('uri.https')));
}

function asSentence(kind: UriKind, uri: string, problem: Message | undefined): Message | undefined {
  if (problem === undefined) return undefined;
  return uri.length > MAX_LENGTH.redirectUri
    ? message('uri.named-only', { what: kind, problem })
    : message('uri.named', { what: kind, uri, problem });
}

function parseSeconds(input: number | string | null): number | null | undefined {
  if (input === null) return null;
  const seconds = typeof input === 'number' || /^\d{1,9}$/.test(input) ? Number(input) : -1;
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_DEFAULT_MAX_AGE_SECONDS ? seconds : undefined;
}

function findName<Name extends string>(names: readonly Name[], input: string): Name | undefined {
  return names.find((name) => name === input);
}
