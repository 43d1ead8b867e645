import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { allowedClients, isRestricted } from '../domain/scope.ts';
import type { ChangedScopeFields, ScopeFields, CurrentScope, ScopeProblems } from '../oauth/settings/scope-changes.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidFields } from './invalid-fields.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const text = z.string().max(OPERATION_TEXTS.checkedText);
const name = z.string().min(1).max(OPERATION_TEXTS.scope);
const displayFields = { icon: text.optional(), sensitivity: text.optional() };

function requireScope({ scopeChanges }: OperationContext, scopeName: string): CurrentScope {
  const scope = scopeChanges.find(scopeName);
  if (scope !== undefined) return scope;
  throw new OperationRefused(`there is no scope ${JSON.stringify(scopeName)}; see: grantlog scope list`, 'unknown');
}

/** Throws OperationRefused if there are any problems. */
function throwIfAny(problems: ScopeProblems): void {
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
}

const toItem = (
  { name: scope, description, icon, sensitivity, isBuiltIn, origin }: CurrentScope,
  clients: AllClients,
) => ({
  scope,
  description,
  icon,
  sensitivity,
  built_in: isBuiltIn,
  origin,
  restricted: isRestricted(scope),
  allowed_clients: isRestricted(scope) ? allowedClients(scope, clients.all()).map(({ clientId }) => clientId) : [],
});

type AllClients = Pick<OperationContext['projections']['clients'], 'all'>;

const showScope = (context: OperationContext, scopeName: string) =>
  toItem(requireScope(context, scopeName), context.projections.clients);

/** The value `none` removes the icon. */
const parseIcon = (icon: string | undefined): string => (icon === 'none' ? '' : (icon ?? ''));

export const scopeOperations: Readonly<Record<string, Operation>> = {
  'scope list': streamingOperation(z.strictObject({}), async function* (_input, { scopeChanges, projections }) {
    for (const scope of scopeChanges.all()) yield toItem(scope, projections.clients);
  }),

  'scope show': operation(z.strictObject({ name }), (input, context) => showScope(context, input.name)),

  'scope add': operation(z.strictObject({ name, description: text, ...displayFields }), async (input, context) => {
    if (context.scopeChanges.find(input.name) !== undefined)
      throw new OperationRefused(`there is already a scope ${input.name}; see: grantlog scope show ${input.name}`);
    const { icon, sensitivity = 'normal' } = input;
    const fields: ScopeFields = {
      name: input.name,
      description: input.description,
      icon: parseIcon(icon),
      sensitivity,
    };
    throwIfAny(await context.scopeChanges.add(fields, context.cause));
    return showScope(context, input.name);
  }),

  'scope update': operation(
    z.strictObject({ name, description: text.optional(), ...displayFields }),
    async (input, context) => {
      requireScope(context, input.name);
      const { name: scope, description, icon, sensitivity } = input;
      const fields: ChangedScopeFields = {
        ...(description !== undefined && { description }),
        ...(icon !== undefined && { icon: parseIcon(icon) }),
        ...(sensitivity !== undefined && { sensitivity }),
      };
      throwIfAny(await context.scopeChanges.update(scope, fields, context.cause));
      return showScope(context, scope);
    },
  ),

  'scope remove': operation(z.strictObject({ name }), async (input, context) => {
    requireScope(context, input.name);
    throwIfAny(await context.scopeChanges.remove(input.name, context.cause));
    return { scope: input.name, removed: true };
  }),

  'scope forecast': operation(z.strictObject({ name }), async (input, context) => {
    requireScope(context, input.name); // refuses an unknown scope before the log is read
    const { since, applications } = await context.findScopeUse(input.name);
    const uses = applications.map(({ clientId, application, tokens }) => ({
      application,
      client_id: clientId,
      tokens,
    }));
    return { scope: input.name, since: new Date(since).toISOString(), applications: uses };
  }),
};
