import {
  isWithinDetail,
  type AuthorizationDetail,
  type RecordedDetail,
  type RequestedDetail,
} from '../../domain/authorization-details.ts';
import type { Grant } from '../../domain/authorization-grant.ts';
import { isSameValue } from '../../domain/same-value.ts';
import type { Resources } from '../../domain/resource.ts';
import { narrowScope, type Scope } from '../../domain/scope.ts';
import { oauthError } from '../endpoints/errors.ts';
import { sanitize, sanitizeNames } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { TokenTerms } from '../resources/token-terms.ts';
import type { DetailOwner, DetailSeals, OpenedDetail, SealedDetail } from './detail-seals.ts';
import { mayRequestType, type DetailClient } from './requested-details.ts';

/** A token's details, both as recorded in the log and as the contents for the response and the token itself. */
export interface DetailsToIssue {
  readonly recorded: readonly RecordedDetail[];
  readonly contents: readonly AuthorizationDetail[];
}

/** New details. Their recorded form includes the encrypted contents. */
interface SealedDetails extends DetailsToIssue {
  readonly recorded: readonly SealedDetail[];
}

/** The granted details, and the part of them that a token request asks for. */
export interface DetailsRequest {
  readonly owner: DetailOwner;
  /** Undefined if none were granted. */
  readonly granted: readonly RecordedDetail[] | undefined;
  /** Empty if the request is for all granted details. */
  readonly requested: readonly AuthorizationDetail[];
  /** The resource servers that the token is for; empty if it is for all resource servers. */
  readonly audience: Resources;
  /** The scope of the token. */
  readonly scope: Scope;
}

/** The details of a subject token, and the part of them that an exchange asks for (RFC 8693). */
export interface ExchangedDetailsRequest extends DetailsRequest {
  /**
   * The details of the actor token. Undefined if there is no actor token, or if it has no details and thus sets no
   * limit.
   */
  readonly actor: { readonly owner: DetailOwner; readonly details: readonly RecordedDetail[] } | undefined;
  /** The client that exchanges the tokens. */
  readonly client: DetailClient;
}

/** Returns the details request for a token request that redeems a code. */
export function codeDetailsRequest(
  { details: granted }: Pick<Grant, 'details'>,
  { clientId, userId, scope }: DetailOwner & { readonly scope: Scope },
  { definedScopes }: Pick<TokenTerms, 'definedScopes'>,
  { requested, audience }: Pick<DetailsRequest, 'requested' | 'audience'>,
): DetailsRequest {
  return { owner: { clientId, userId }, granted, requested, audience, scope: narrowScope(scope, definedScopes) };
}

/** Decides which details a token gets (RFC 9396 §6). */
export interface TokenDetails {
  /**
   * Encrypts new details that a user has approved or that a client requests for itself. Returns undefined if there are
   * none.
   * @param mergedDetails the recorded details of an earlier grant of the owner; equal details get equal hashes
   */
  seal(
    owner: DetailOwner,
    details: readonly AuthorizationDetail[],
    mergedDetails?: readonly RecordedDetail[],
  ): Promise<SealedDetails | undefined>;
  /**
   * Returns the granted details that a token gets: only those for its resource servers, and only those of types that
   * these servers still declare. Returns undefined if the token has none.
   * @throws OAuthError `invalid_authorization_details` if a requested detail exceeds the grant or is for a different
   * resource server, or if a token without scopes would have no details either
   */
  narrow(request: DetailsRequest): Promise<DetailsToIssue | undefined>;
  /**
   * Like `narrow`, for an exchanged token. Each of its details is within a detail of the subject token, and within a
   * detail of the actor token if that token has any. If no details are requested, the token gets all those that the
   * client may have. The event that records the token includes the encrypted contents, because otherwise they would
   * have to be read from an event that may be far up the chain.
   * @throws OAuthError as `narrow` does
   */
  exchange(request: ExchangedDetailsRequest): Promise<DetailsToIssue | undefined>;
  /** Returns the contents of recorded details, decrypted. Details whose key has been destroyed are left out. */
  open(owner: DetailOwner, recorded: readonly RecordedDetail[]): readonly AuthorizationDetail[];
}

interface OpenedRecord extends OpenedDetail {
  readonly recorded: RecordedDetail;
}

export function createTokenDetails(seals: DetailSeals, resources: Pick<KnownResources, 'detailTypes'>): TokenDetails {
  function openAll(owner: DetailOwner, recorded: readonly RecordedDetail[]): readonly OpenedRecord[] {
    return recorded.flatMap((record) => {
      const detail = seals.open(owner, record);
      return detail === undefined ? [] : [{ ...detail, recorded: record }];
    });
  }

  const isForAudience = ({ type }: AuthorizationDetail, audience: Resources): boolean => {
    const declaredType = resources.detailTypes().get(type);
    return declaredType !== undefined && (audience.length === 0 || audience.includes(declaredType.resource));
  };

  function requireAudience(requested: readonly AuthorizationDetail[], audience: Resources): void {
    const foreignDetail = requested.find((detail) => !isForAudience(detail, audience));
    if (foreignDetail !== undefined)
      throw oauthError({ rule: 'details-of-other-resource', type: sanitize(foreignDetail.type), resource: audience });
  }

  /** Returns the detail to record, which includes its contents only if it differs from the granted detail. */
  async function narrowDetail(
    owner: DetailOwner,
    requested: AuthorizationDetail,
    grantedDetail: OpenedRecord,
  ): Promise<RecordedDetail> {
    const { type, hash } = grantedDetail.recorded;
    if (isSameValue(requested, grantedDetail.detail)) return { type, hash };
    return { ...(await seals.seal(owner, requested, grantedDetail.salt)), narrows: hash };
  }

  return {
    async seal(owner, details, mergedDetails = []) {
      if (details.length === 0) return undefined;
      const earlierDetails = openAll(owner, mergedDetails);
      const recorded: SealedDetail[] = [];
      for (const detail of details) {
        const earlierDetail = earlierDetails.find((candidate) => isSameValue(candidate.detail, detail));
        recorded.push(await seals.seal(owner, detail, earlierDetail?.salt));
      }
      return { recorded, contents: details };
    },

    async narrow({ owner, granted = [], requested, audience, scope }) {
      if (granted.length === 0 && requested.length === 0) return undefined;
      const openedRecords = openAll(owner, granted);
      requireAudience(requested, audience);
      if (requested.length === 0) {
        const usableRecords = openedRecords.filter(({ detail }) => isForAudience(detail, audience));
        if (usableRecords.length === 0 && scope.length === 0) throw oauthError({ rule: 'details-none-left' });
        const recorded = usableRecords.map(({ recorded: { type, hash } }) => ({ type, hash }));
        return usableRecords.length === 0
          ? undefined
          : { recorded, contents: usableRecords.map(({ detail }) => detail) };
      }
      const recorded: RecordedDetail[] = [];
      for (const detail of requested) {
        const match = openedRecords.find((candidate) => isWithinDetail(detail, candidate.detail));
        if (match === undefined)
          throw oauthError({
            rule: 'details-not-granted',
            type: sanitize(detail.type),
            granted: sanitizeTypes(openedRecords),
          });
        recorded.push(await narrowDetail(owner, detail, match));
      }
      return { recorded, contents: requested };
    },

    async exchange({ owner, granted = [], requested, audience, scope, actor, client }) {
      if (granted.length === 0 && requested.length === 0) return undefined;
      const openedRecords = openAll(owner, granted);
      const actorDetails = actor && openAll(actor.owner, actor.details);
      const isWithinActorDetails = (detail: AuthorizationDetail): boolean =>
        actorDetails?.some((candidate) => isWithinDetail(detail, candidate.detail)) ?? true;
      requireAudience(requested, audience);
      const inheritedDetails = (): readonly AuthorizationDetail[] =>
        openedRecords
          .map(({ detail }) => detail)
          .filter(
            (detail) =>
              isForAudience(detail, audience) && mayRequestType(client, detail.type) && isWithinActorDetails(detail),
          );
      const contents = requested.length === 0 ? inheritedDetails() : requested;
      if (contents.length === 0 && scope.length === 0) throw oauthError({ rule: 'exchange-no-details-left' });
      const recorded: RecordedDetail[] = [];
      for (const detail of contents) {
        const match = openedRecords.find((candidate) => isWithinDetail(detail, candidate.detail));
        if (match === undefined || !isWithinActorDetails(detail))
          throw oauthError({
            rule: 'exchange-details-beyond',
            limit: match === undefined ? 'subject' : 'actor',
            type: sanitize(detail.type),
            allowed: sanitizeTypes(match === undefined ? openedRecords : (actorDetails ?? [])),
          });
        recorded.push({ sealed: match.recorded.sealed, ...(await narrowDetail(owner, detail, match)) });
      }
      return contents.length === 0 ? undefined : { recorded, contents };
    },

    open: (owner, recorded) => openAll(owner, recorded).map(({ detail }) => detail),
  };
}

const sanitizeTypes = (openedRecords: readonly OpenedRecord[]): readonly string[] =>
  sanitizeNames(openedRecords.map(({ detail }) => detail.type));

/** Returns the `details` member of a recorded request: the issued details that the request asked for. */
export function requestedDetailsMember(
  { recorded, contents }: DetailsToIssue = { recorded: [], contents: [] },
  requested: readonly AuthorizationDetail[],
): { readonly details?: readonly RequestedDetail[] } {
  const requestedRecords = recorded.filter((_, index) =>
    requested.some((detail) => isSameValue(detail, contents[index])),
  );
  return requestedRecords.length === 0 ? {} : { details: requestedRecords.map(({ type, hash }) => ({ type, hash })) };
}
