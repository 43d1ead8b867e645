import type { GrantRecord } from './history/grants.ts';
import { finding, lateViolation, type EventRule } from './rule.ts';

export const refreshTokenRules: readonly EventRule[] = [
  {
    name: 'refresh-tokens-form-a-line',
    description:
      'A grant has one initial refresh token, and each rotation replaces the latest one, so that none has two ' +
      'successors.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      const refreshToken = grants.inStream(stream)?.refreshToken ?? null;
      if (type === 'RefreshTokenIssued')
        return refreshToken === null ? undefined : finding('the grant already has an initial refresh token');
      if (type !== 'RefreshTokenRotated') return undefined;
      if (refreshToken === null) return finding('the grant has no refresh token to rotate');
      return data.spentHash === refreshToken.currentHash
        ? undefined
        : finding('the spent refresh token is not the latest of its grant');
    },
  },
  {
    name: 'a-refresh-token-is-spent-in-time',
    description:
      'A refresh token has not expired at the time of the refresh; a refresh without rotation that is recorded up to ' +
      'a minute after the expiry is a notice, because the decision may be older.',
    check({ event: { type, data }, record }, { grants }) {
      const grant = grants.inStream(record.stream);
      const expiresAt = grant?.refreshToken?.expiresAt;
      if (type === 'AccessTokenIssued' && grant?.dueScope === null && typeof expiresAt === 'number')
        return record.recordedAt < expiresAt * 1000
          ? undefined
          : lateViolation(record, expiresAt * 1000, 'the refresh token had expired');
      if (type !== 'RefreshTokenRotated' || typeof expiresAt !== 'number') return undefined;
      return data.rotatedAt < expiresAt
        ? undefined
        : finding(`the refresh token had expired ${data.rotatedAt - expiresAt} s before`);
    },
  },
  {
    name: 'a-refresh-ends-the-access-token-before-it',
    description:
      'A refresh retires only the latest access token of its grant, no earlier than the refresh and before the token ' +
      'expires.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      if (type !== 'RefreshTokenRotated' || data.retired === undefined) return undefined;
      const { tokenHash, endsAt } = data.retired;
      const accessToken = grants.inStream(stream)?.accessToken ?? null;
      if (accessToken?.hash !== tokenHash) return finding('the retired access token is not the latest of its grant');
      const secondsBefore = data.rotatedAt - endsAt;
      if (secondsBefore > 0) return finding(`the access token is retired ${secondsBefore} s before the refresh`);
      return endsAt < accessToken.expiresAt ? undefined : finding('the access token expires before it is retired');
    },
  },
  {
    name: 'summaries-add-nothing',
    description: 'A summary of a grant contains what follows from the earlier events, and nothing else.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      const grant = type === 'GrantSummarized' ? grants.inStream(stream) : undefined;
      if (type !== 'GrantSummarized' || grant === undefined) return undefined;
      const summary = expectedSummary(grant);
      if (summary === undefined) return finding('the summarized grant lacks an access token or a refresh token');
      const differingMembers = findDifferingMembers(data, summary);
      return differingMembers.length === 0
        ? undefined
        : finding(`the summary differs from the earlier events in ${differingMembers.join(', ')}`);
    },
  },
];

/** Returns the summary according to the auditor's own history, or undefined if there is nothing to summarize. */
function expectedSummary({
  clientId,
  userId,
  resource,
  code,
  accessToken,
  refreshToken,
  login,
  claims,
  details,
  idToken,
}: Readonly<GrantRecord>): object | undefined {
  if (accessToken === null || refreshToken === null) return undefined;
  const { currentHash, scope, expiresAt, hasUntagged, confirmation, rotation } = refreshToken;
  const { hash: tokenHash, ...accessTokenTerms } = accessToken;
  return {
    clientId,
    userId,
    redeemedCodeHash: code?.isRedeemed === true ? code.hash : null,
    device: code?.isDeviceCode === true ? true : undefined,
    scope,
    resource: resource ?? [],
    refreshToken: { tokenHash: currentHash, expiresAt, hasUntagged, confirmation, ...rotation },
    accessToken: { tokenHash, ...accessTokenTerms },
    login,
    claims,
    details,
    idToken,
  };
}

/** Returns the names of the members that differ. */
function findDifferingMembers(summary: object, expected: object): readonly string[] {
  const [left, right] = [new Map(flattenMembers(summary)), new Map(flattenMembers(expected))];
  return [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name));
}

/** Returns the dotted names of the members, each with its value as JSON. An empty list equals a missing one. */
function flattenMembers(value: object, prefix = ''): readonly (readonly [name: string, text: string])[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (member === undefined || (Array.isArray(member) && member.length === 0)) return [];
    const isNested = typeof member === 'object' && member !== null && !Array.isArray(member);
    return isNested
      ? flattenMembers(member, `${prefix}${name}.`)
      : [[`${prefix}${name}`, JSON.stringify(member)] as const];
  });
}
