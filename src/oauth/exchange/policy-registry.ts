import { hash } from 'node:crypto';
import type { ExchangePolicyCommand, ExchangePolicyEvent, ExchangePolicyState } from '../../domain/exchange-policy.ts';
import { observedClient, observedExchangePolicy, exchangePolicyStream } from '../../domain/streams.ts';
import type { ClientId } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import type { StreamName } from '../../event-store/event-log.ts';
import { message } from '../../language/message.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { ExchangePolicies, ExchangePolicy } from '../../projections/exchange-policies.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import {
  checkExchangePolicy,
  exchangingClientProblem,
  UNKNOWN_SUBJECT,
  type ExchangePolicyErrors,
  type ExchangePolicyFields,
} from './policy-rules.ts';

/** Sets and removes exchange policies. Changes take effect immediately. */
export interface ExchangePolicyRegistry {
  /** Sets the policy for the two clients, replacing any existing one. */
  set(
    pair: { readonly clientId: string; readonly subjectClientId: string },
    fields: ExchangePolicyFields,
    context: CommandContext,
  ): Promise<{ readonly policy: ExchangePolicy } | { readonly errors: ExchangePolicyErrors }>;
  /** Removes the policy. Does nothing if it has already been removed. */
  remove(policy: ExchangePolicy, context: CommandContext): Promise<void>;
}

/** Returns the stream of a policy. Each ordered pair of clients has its own stream. */
function policyStream(clientId: ClientId, subjectClientId: ClientId): StreamName {
  return exchangePolicyStream(hash('sha256', JSON.stringify([clientId, subjectClientId]), 'base64url'));
}

/** Adds the clients to the context, so that nothing is recorded if one of them changes concurrently. */
function withClientRevisions(context: CommandContext, client: Client, subject: Client): CommandContext {
  const clients = client === subject ? [client] : [client, subject];
  return { ...context, basedOn: [...(context.basedOn ?? []), ...clients.map(observedClient)] };
}

export function createExchangePolicyRegistry(deps: {
  readonly commands: Pick<
    CommandHandler<ExchangePolicyCommand, ExchangePolicyState, ExchangePolicyEvent, never>,
    'execute'
  >;
  readonly policies: Pick<ExchangePolicies, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly resources: Pick<KnownResources, 'scopes' | 'uris'>;
}): ExchangePolicyRegistry {
  const { commands, policies, clients, resources } = deps;
  return {
    async set(pair, fields, context) {
      const [client, subject] = [clients.find(pair.clientId), clients.find(pair.subjectClientId)];
      const result = checkExchangePolicy(fields, { scopes: resources.scopes(), resources: resources.uris() });
      const clientProblem = exchangingClientProblem(client);
      if (client === undefined || subject === undefined || clientProblem !== undefined || 'errors' in result)
        return {
          errors: {
            ...(clientProblem !== undefined && { clientId: clientProblem }),
            ...(subject === undefined && { subjectClientId: UNKNOWN_SUBJECT }),
            ...('errors' in result ? result.errors : {}),
          },
        };
      const [{ clientId }, { clientId: subjectClientId }] = [client, subject];
      const { settings } = result;
      const command = { type: 'SetExchangePolicy', clientId, subjectClientId, settings } as const;
      await commands.execute(
        policyStream(clientId, subjectClientId),
        command,
        withClientRevisions(context, client, subject),
      );
      const policy = policies.find(clientId, subjectClientId);
      return policy === undefined ? { errors: { clientId: message('policy-problem.removed') } } : { policy };
    },

    async remove(policy, context) {
      const { clientId, subjectClientId } = policy;
      const [client, subject] = [clients.find(clientId), clients.find(subjectClientId)];
      if (client === undefined || subject === undefined) return; // the policy was removed with its client
      const command = { type: 'RemoveExchangePolicy', clientId, subjectClientId } as const;
      const basedOn = [...(context.basedOn ?? []), observedExchangePolicy(policy)];
      const removalContext = withClientRevisions({ ...context, basedOn }, client, subject);
      await commands.execute(policyStream(clientId, subjectClientId), command, removalContext);
    },
  };
}
