import type { ExchangePolicyErrors, ExchangePolicyFields } from '../../../oauth/exchange/policy-rules.ts';
import type { ExchangePolicy } from '../../../projections/exchange-policies.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { ExchangePolicyValues } from './exchange-policy-locals.ts';

export const BLANK_VALUES: ExchangePolicyValues = { client: '', subject: '', modes: [], scope: '', resources: '' };

export function valuesOf({ clientId, subjectClientId, modes, scope, resources }: ExchangePolicy): ExchangePolicyValues {
  return {
    client: clientId,
    subject: subjectClientId,
    modes,
    scope: joinLines(scope),
    resources: joinLines(resources),
  };
}

export function readValues(form: Form): ExchangePolicyValues {
  return {
    client: form.trimmed('exchange_client'),
    subject: form.trimmed('exchange_subject'),
    modes: form.list('exchange_mode'),
    scope: form.words('exchange_scope').join('\n'),
    resources: form.words('exchange_resources').join('\n'),
  };
}

/**
 * Returns the fields of the policy that the form describes. If the form lists no scopes, the policy allows all scopes
 * of the subject token. The same rule applies to resource servers.
 */
export function fieldsFrom({ modes, scope, resources }: ExchangePolicyValues): ExchangePolicyFields {
  return { modes, scope: splitLines(scope), resources: splitLines(resources) };
}

function joinLines(lines: readonly string[] | null): string {
  return lines === null ? '' : lines.join('\n');
}

function splitLines(text: string): readonly string[] | null {
  return text === '' ? null : text.split('\n');
}

/** Returns the errors keyed by the form's field names. */
export function toFormErrors(errors: ExchangePolicyErrors): FieldErrors {
  return definedErrors({
    exchange_client: errors.clientId,
    exchange_subject: errors.subjectClientId,
    exchange_mode: errors.modes,
    exchange_scope: errors.scope,
    exchange_resources: errors.resources,
  });
}
