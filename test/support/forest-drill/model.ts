/** A grant with one token. The grant at the top of a chain does not come from an exchange. */
export interface ModelGrant {
  readonly client: string;
  readonly user: string | null;
  readonly scope: readonly string[];
  readonly expiresAt: number;
  readonly parent?: ModelGrant;
  readonly actor?: ModelGrant | undefined;
}

export type ModelRequest = Pick<ModelGrant, 'client' | 'actor'> & {
  readonly subject: ModelGrant;
  readonly scope: readonly string[];
};

/**
 * Creates a model of the delegation rules: which grant an exchange creates, and when it ends. Times are in seconds
 * since the epoch.
 */
export function createForestModel(lifetime: number) {
  /** The revoked grants, the removed clients, and the disabled or erased users. */
  const ended = new Set<unknown>();
  /** The scope that a policy allows, by the exchanging client and the client of the subject token. */
  const policies = new Map<string, readonly string[]>();
  const pair = (client: string, subject: string): string => `${client} ${subject}`;

  const chainOf = (grant: ModelGrant): readonly ModelGrant[] =>
    grant.parent === undefined ? [grant] : [grant, ...chainOf(grant.parent)];
  const isSameParty = (left: ModelGrant, right: ModelGrant): boolean =>
    left.user === right.user && (left.user !== null || left.client === right.client);

  function isLive(grant: ModelGrant | undefined, now: number): boolean {
    if (grant === undefined) return true;
    const hasEnded = now >= grant.expiresAt || [grant, grant.client, grant.user].some((party) => ended.has(party));
    return !hasEnded && isLive(grant.parent, now) && isLive(grant.actor, now);
  }

  /** Returns the grant that the exchange creates, or undefined if the exchange must be refused. */
  function exchange({ client, subject, actor, scope }: ModelRequest, now: number): ModelGrant | undefined {
    const policyScope = policies.get(pair(client, subject.client));
    if (ended.has(client) || !isLive(subject, now) || !isLive(actor, now) || policyScope === undefined)
      return undefined;
    const chain = chainOf(subject);
    if (chain.length > 4 || chain.some((ancestor) => ancestor.parent !== undefined && ancestor.client === client))
      return undefined;
    if (actor !== undefined) {
      const parties = [chain.at(-1), ...chain.map((ancestor) => ancestor.actor)];
      if (actor.client !== client || actor.parent !== undefined) return undefined;
      if (parties.some((party) => party !== undefined && isSameParty(actor, party))) return undefined;
    }
    const limits = [subject.scope, actor?.scope ?? subject.scope, policyScope];
    const allowedScope = subject.scope.filter((name) => limits.every((limit) => limit.includes(name)));
    if (allowedScope.length === 0 || !scope.every((name) => allowedScope.includes(name))) return undefined;
    const expiresAt = Math.min(now + lifetime, subject.expiresAt, actor?.expiresAt ?? Infinity);
    return {
      client,
      user: subject.user,
      scope: scope.length > 0 ? scope : allowedScope,
      expiresAt,
      parent: subject,
      actor,
    };
  }

  return { ended, policies, pair, isLive, exchange };
}
