import type { ExchangePolicyErrors, ExchangePolicyFields } from '../../../oauth/exchange/policy-rules.ts';
import type { ExchangePolicy } from '../../../projections/exchange-policies.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { ExchangePolicyValues } from './exchange-policy-locals.ts';

export const BLANK: ExchangePolicyValues = { client: '', subject: '', modes: [], scope: '', resources: '' };

export function valuesOf({ clientId, subjectClientId, modes, scope, resources }: ExchangePolicy): ExchangePolicyValues {
  return { client: clientId, subject: subjectClientId, modes, scope: textOf(scope), resources: textOf(resources) };
}

export function enteredValues(form: Form): ExchangePolicyValues {
  return {
    client: form.trimmed('exchange_client'),
    subject: form.trimmed('exchange_subject'),
    modes: form.list('exchange_mode'),
    scope: form.words('exchange_scope').join('\n'),
    resources: form.words('exchange_resources').join('\n'),
  };
}

/** Reads the fields of a policy. Without scopes or resource servers, it allows all those of the subject token. */
export function fieldsFrom({ modes, scope, resources }: ExchangePolicyValues): ExchangePolicyFields {
  return { modes, scope: namesIn(scope), resources: namesIn(resources) };
}

function textOf(names: readonly string[] | null): string {
  return names === null ? '' : names.join('\n');
}

function namesIn(text: string): readonly string[] | null {
  return text === '' ? null : text.split('\n');
}

/** Returns the errors by the names of the form's fields. */
export function toFormErrors(errors: ExchangePolicyErrors): FieldErrors {
  return definedErrors({
    exchange_client: errors.clientId,
    exchange_subject: errors.subjectClientId,
    exchange_mode: errors.modes,
    exchange_scope: errors.scope,
    exchange_resources: errors.resources,
  });
}
