import { usesSecret } from '../../domain/client-authentication.ts';
import { observedClient, grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { Sessions } from '../../projections/sessions.ts';
import type { TrustedIssuer, TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { SigningKeys } from '../../projections/signing-keys.ts';
import { keyInUse } from '../../domain/signing-keys.ts';
import type { Registration } from '../clients/registration.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { KeyRotation } from '../signing/key-rotation.ts';
import { joinTexts, message, type Text } from '../../language/message.ts';

/** A grant or credential that leaked and must end. */
export type LeakedSource =
  | { readonly kind: 'grant'; readonly grantId: GrantId }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'session'; readonly sessionHash: string }
  | { readonly kind: 'key'; readonly keyId: string }
  /** A JWT from another issuer, identified by its hash in the log. It can be presented until it expires. */
  | {
      readonly kind: 'foreign-token';
      readonly tokenHash: string;
      readonly issuer: string;
      readonly expiresAt: EpochSeconds;
    };

/** The action that prevents new grants from the source, or the reason the source was not stopped. */
export type StoppedSource =
  | { readonly kind: 'session-ended' | 'signing-key-retired' | 'client-key-removed' | 'nothing-to-stop' }
  | { readonly kind: 'secret-replaced'; readonly clientId: string; readonly secret: string }
  | { readonly kind: 'not-stopped'; readonly why: Text };

/**
 * A grant that came from the source, directly or through an exchange. A grant from an exchange ends with its parent.
 */
interface AffectedGrant {
  readonly grantId: GrantId;
  readonly via: { readonly kind: string };
}

/** The result of revoking a leaked source. */
export interface SourceRevocation<Grant extends AffectedGrant> {
  readonly stopped: StoppedSource;
  /** The grants that were ended, in the order in which they were found. */
  readonly ended: readonly Grant[];
  /** The grants that are still live; empty unless new grants kept coming from the source. */
  readonly left: readonly Grant[];
}

/** Revokes leaked credentials, and ends the grants that came from them. */
export interface SourceRevoker {
  /**
   * Stops the source if possible, and ends the grants that came from it, in a limited number of rounds until none are
   * live. A concurrent request that uses the source either is refused, because the streams of the source have changed,
   * or creates a grant that the next round finds.
   * @param findLiveGrants finds the live grants that came from the source
   * @param entropy the entropy for a client's new secret; random by default
   */
  revoke<Grant extends AffectedGrant>(
    source: LeakedSource,
    findLiveGrants: () => Promise<readonly Grant[]>,
    now: EpochSeconds,
    context: CommandContext,
    entropy?: Entropy,
  ): Promise<SourceRevocation<Grant>>;
}

export interface SourceRevokerDeps {
  readonly grantCommands: Pick<GrantCommands, 'execute'>;
  readonly registration: Pick<Registration, 'update' | 'rotateSecret'>;
  readonly keyRotation: Pick<KeyRotation, 'introduce' | 'retire'>;
  readonly loginSessions: {
    endForUser(
      sessionHash: string,
      userId: NonNullable<ReturnType<Sessions['find']>>['userId'],
      now: EpochSeconds,
      context: CommandContext,
    ): Promise<boolean>;
  };
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly signingKeys: Pick<SigningKeys, 'find' | 'published'>;
  readonly trustedIssuers: Pick<TrustedIssuers, 'all'>;
}

/** Other requests are served between batches. */
const BATCH_SIZE = 50;
/** Only a source that could not be stopped needs many rounds. */
const MAX_ROUNDS = 20;

export function createSourceRevoker(deps: SourceRevokerDeps): SourceRevoker {
  const { grantCommands, registration, keyRotation, loginSessions, clients, sessions, signingKeys, trustedIssuers } =
    deps;

  async function endSession(sessionHash: string, now: EpochSeconds, context: CommandContext): Promise<StoppedSource> {
    const session = sessions.find(sessionHash, now);
    if (session === undefined) return { kind: 'nothing-to-stop' };
    await loginSessions.endForUser(sessionHash, session.userId, now, context);
    return { kind: 'session-ended' };
  }

  async function replaceSecret(id: string, context: CommandContext, entropy?: Entropy): Promise<StoppedSource> {
    const client = clients.find(id);
    if (client === undefined) return { kind: 'nothing-to-stop' };
    const { clientId, authentication } = client;
    if (!usesSecret(authentication)) return { kind: 'not-stopped', why: whyNotStopped(client) };
    const secret = await registration.rotateSecret(clientId, context, 0, entropy);
    return secret === undefined ? { kind: 'nothing-to-stop' } : { kind: 'secret-replaced', clientId, secret };
  }

  async function stopKey(keyId: string, now: EpochSeconds, context: CommandContext): Promise<StoppedSource> {
    const key = signingKeys.find(keyId);
    if (key !== undefined && key.retired === null) {
      if (keyInUse(signingKeys.published(), key.algorithm, now)?.kid === key.kid)
        await keyRotation.introduce(key.algorithm, now, 'requested', context);
      const refusal = await keyRotation.retire(key.kid, now, context);
      return refusal === undefined || refusal === 'key-retired'
        ? { kind: 'signing-key-retired' }
        : { kind: 'not-stopped', why: message('radius.key-not-retired', { refusal }) };
    }
    let outcome: StoppedSource = { kind: 'nothing-to-stop' };
    for (const client of [...clients.all()].filter((candidate) => hasKey(candidate, keyId)))
      outcome = await removeKey(client, keyId, context);
    const trustedIssuer = trustedIssuers.all().find(({ keys }) => keys.some((candidate) => candidate.keyId === keyId));
    if (trustedIssuer !== undefined) return { kind: 'not-stopped', why: whyStillTrusted(trustedIssuer) };
    const publisher = clients.all().find((candidate) => publishesKey(candidate, keyId));
    return publisher === undefined ? outcome : { kind: 'not-stopped', why: whyStillPublished(publisher) };
  }

  async function removeKey(client: Client, keyId: string, context: CommandContext): Promise<StoppedSource> {
    const { authentication } = client;
    const keys = authentication.keys.filter((key) => key.keyId !== keyId);
    const fields = { ...client, authentication: { ...authentication, keys } };
    const basedOn = [...(context.basedOn ?? []), observedClient(client)];
    const refusal = await registration.update(client.clientId, fields, { ...context, basedOn });
    if (refusal === undefined) return { kind: 'client-key-removed' };
    const why = 'errors' in refusal ? joinTexts(Object.values(refusal.errors), 'problem.sentences') : refusal.refusal;
    return { kind: 'not-stopped', why: message('radius.key-needed', { client: client.clientId, why: why ?? '' }) };
  }

  async function stop(
    source: LeakedSource,
    now: EpochSeconds,
    context: CommandContext,
    entropy?: Entropy,
  ): Promise<StoppedSource> {
    switch (source.kind) {
      case 'grant':
        return { kind: 'nothing-to-stop' };
      case 'foreign-token':
        return source.expiresAt <= now
          ? { kind: 'nothing-to-stop' }
          : { kind: 'not-stopped', why: whyStillAccepted(source) };
      case 'session':
        return endSession(source.sessionHash, now, context);
      case 'client':
        return replaceSecret(source.clientId, context, entropy);
      case 'key':
        return stopKey(source.keyId, now, context);
    }
  }

  async function revokeGrant({ grantId }: AffectedGrant, context: CommandContext): Promise<void> {
    await grantCommands.execute(grantStream(grantId), { type: 'RevokeGrant', reason: 'revoked-by-operator' }, context);
  }

  return {
    async revoke(source, findLiveGrants, now, context, entropy) {
      const stoppedSource = await stop(source, now, context, entropy);
      const endedGrants = new Map<GrantId, Awaited<ReturnType<typeof findLiveGrants>>[number]>();
      let liveGrants = await findLiveGrants();
      for (let round = 0; round < MAX_ROUNDS && liveGrants.length > 0; round += 1) {
        for (const grant of liveGrants) endedGrants.set(grant.grantId, grant);
        const directGrants = liveGrants.filter(({ via }) => via.kind === 'source');
        for (let start = 0; start < directGrants.length; start += BATCH_SIZE)
          await Promise.all(directGrants.slice(start, start + BATCH_SIZE).map((grant) => revokeGrant(grant, context)));
        liveGrants = await findLiveGrants();
      }
      return { stopped: stoppedSource, ended: [...endedGrants.values()], left: liveGrants };
    },
  };
}

const hasKey = ({ authentication }: Client, keyId: string): boolean =>
  authentication.keys.some((key) => key.keyId === keyId);

/** The log does not record which keys a client publishes, but it does record which keys the client has used. */
const publishesKey = ({ authentication, lastUse }: Client, keyId: string): boolean =>
  authentication.keysUri !== null && Object.hasOwn(lastUse.keys, keyId);

function whyStillPublished({ clientId, authentication }: Client): Text {
  return message('radius.still-published', { client: clientId, uri: authentication.keysUri ?? '' });
}

function whyStillAccepted({ issuer }: Pick<TrustedIssuer, 'issuer'>): Text {
  return message('radius.still-accepted', { issuer });
}

function whyStillTrusted({ issuer }: Pick<TrustedIssuer, 'issuer'>): Text {
  return message('radius.still-trusted', { issuer });
}

function whyNotStopped({ clientId, clientType }: Client): Text {
  return message(clientType === 'public' ? 'radius.public' : 'radius.with-keys', { client: clientId });
}
