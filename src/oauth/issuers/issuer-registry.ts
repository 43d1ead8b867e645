import { hash } from 'node:crypto';
import { isSameValue } from '../../domain/same-value.ts';
import { observedClient, observedTrustedIssuer, trustedIssuerStream } from '../../domain/streams.ts';
import type { TrustedIssuerCommand, TrustedIssuerEvent, TrustedIssuerState } from '../../domain/trusted-issuer.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import type { StreamName } from '../../event-store/event-log.ts';
import type { OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import type { Clients } from '../../projections/clients.ts';
import type { TrustedIssuer, TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { Users } from '../../projections/users.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { AssertionNames } from './assertion-names.ts';
import { checkTrustedIssuer, type TrustedIssuerErrors, type TrustedIssuerFields } from './issuer-rules.ts';
import { message } from '../../language/message.ts';

/** Sets and removes the issuers whose JWTs are accepted. Changes take effect immediately. */
export interface TrustedIssuerRegistry {
  /** Trusts the issuer with these settings, which replace all earlier ones. */
  set(
    issuer: string,
    fields: TrustedIssuerFields,
    context: CommandContext,
  ): Promise<{ readonly trustedIssuer: TrustedIssuer } | { readonly errors: TrustedIssuerErrors }>;
  /** Reports whether the issuer already has exactly these settings. */
  hasSettings(issuer: string, fields: TrustedIssuerFields): boolean;
  /**
   * Removes the issuer, which ends all grants that began with its JWTs. Does nothing if it has already been removed.
   */
  remove(trustedIssuer: TrustedIssuer, context: CommandContext): Promise<void>;
}

function issuerStream(issuer: string): StreamName {
  return trustedIssuerStream(hash('sha256', issuer, 'base64url'));
}

export function createTrustedIssuerRegistry(deps: {
  readonly commands: Pick<
    CommandHandler<TrustedIssuerCommand, TrustedIssuerState, TrustedIssuerEvent, never>,
    'execute'
  >;
  readonly trustedIssuers: Pick<TrustedIssuers, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'findByName'>;
  readonly resources: Pick<KnownResources, 'scopes' | 'uris'>;
  readonly names: Pick<AssertionNames, 'subjectHash'>;
  readonly issuer: () => string;
  readonly settings: OutgoingUrlSettings;
}): TrustedIssuerRegistry {
  const { commands, trustedIssuers, clients, users, resources, names, settings } = deps;

  const check = (issuer: string, fields: TrustedIssuerFields) =>
    checkTrustedIssuer(issuer, fields, {
      ownIssuer: deps.issuer(),
      scopes: resources.scopes(),
      resources: resources.uris(),
      findClient: clients.find,
      findUser: users.findByName,
      hashSubject: (subject) => names.subjectHash(issuer, subject),
      settings,
    });

  return {
    async set(issuer, fields, context) {
      const result = check(issuer, fields);
      if ('errors' in result) return result;
      const issuerClients = result.settings.clients.flatMap(({ clientId }) => clients.find(clientId) ?? []);
      // Nothing is recorded if one of the clients changes concurrently.
      const basedOn = [...(context.basedOn ?? []), ...issuerClients.map(observedClient)];
      const command = { type: 'SetTrustedIssuer', issuer, settings: result.settings } as const;
      await commands.execute(issuerStream(issuer), command, { ...context, basedOn });
      const trustedIssuer = trustedIssuers.find(issuer);
      return trustedIssuer === undefined
        ? { errors: { issuer: message('issuer-problem.removed') } }
        : { trustedIssuer };
    },

    hasSettings(issuer, fields) {
      const [trustedIssuer, result] = [trustedIssuers.find(issuer), check(issuer, fields)];
      if (trustedIssuer === undefined || 'errors' in result) return false;
      return isSameValue({ ...trustedIssuer, ...result.settings }, trustedIssuer);
    },

    async remove(trustedIssuer, context) {
      const basedOn = [...(context.basedOn ?? []), observedTrustedIssuer(trustedIssuer)];
      const command = { type: 'RemoveTrustedIssuer', issuer: trustedIssuer.issuer } as const;
      await commands.execute(issuerStream(trustedIssuer.issuer), command, { ...context, basedOn });
    },
  };
}
