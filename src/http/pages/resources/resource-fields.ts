import type { UserId } from '../../../domain/values.ts';
import { formatDetailTypes } from '../../../oauth/details/entered-types.ts';
import type { ResourceErrors, ResourceFields } from '../../../oauth/resources/resource-rules.ts';
import type { ResourceServer } from '../../../projections/resources.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { ResourceValues } from './locals.ts';

export const BLANK_VALUES: ResourceValues = {
  uri: '',
  name: '',
  scopes: '',
  format: '',
  algorithm: '',
  lifetime: '',
  publishesMetadata: true,
  detailTypes: '',
  introspectionClient: '',
};

export function toFormValues(resource: ResourceServer): ResourceValues {
  return {
    uri: resource.uri,
    name: resource.name,
    scopes: resource.scopes.map(({ name, description }) => `${name} ${description}`).join('\n'),
    format: resource.accessTokenFormat ?? '',
    algorithm: resource.accessTokenAlgorithm ?? '',
    lifetime: resource.accessTokenLifetimeSeconds === null ? '' : String(resource.accessTokenLifetimeSeconds),
    publishesMetadata: resource.publishesMetadata,
    detailTypes: formatDetailTypes(resource.detailTypes),
    introspectionClient: resource.introspectionClient ?? '',
  };
}

export function readValues(form: Form): ResourceValues {
  return {
    uri: form.trimmed('resource_uri'),
    name: form.trimmed('name'),
    scopes: form.input('resource_scopes'),
    format: form.text('access_token_format'),
    algorithm: form.text('access_token_algorithm'),
    lifetime: form.text('access_token_lifetime').trim(),
    publishesMetadata: form.text('publish_metadata') !== '',
    detailTypes: form.input('detail_types').replaceAll('\r\n', '\n').trim(),
    introspectionClient: form.trimmed('introspection_client'),
  };
}

export function toResourceFields(values: ResourceValues, ownerId: UserId | null): ResourceFields {
  const lines = values.scopes.split(/\r?\n/).map((line) => line.trim());
  return {
    name: values.name,
    ownerId,
    scopes: lines.filter((line) => line !== '').map(parseScopeLine),
    accessTokenFormat: values.format === '' ? null : values.format,
    accessTokenAlgorithm: values.algorithm === '' ? null : values.algorithm,
    accessTokenLifetimeSeconds: parseSeconds(values.lifetime),
    publishesMetadata: values.publishesMetadata,
    detailTypes: values.detailTypes,
    introspectionClient: values.introspectionClient,
  };
}

/** Parses a line: the name of a scope up to the first space, then its description. */
function parseScopeLine(line: string) {
  const [, name = '', description = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  return { name, description };
}

/** Parses a number of seconds. Returns null for empty text, and NaN, which fails validation, for invalid text. */
function parseSeconds(text: string): number | null {
  if (text === '') return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns the errors, keyed by the form's field names. */
export function toFormErrors(errors: ResourceErrors): FieldErrors {
  return definedErrors({
    resource_uri: errors.uri,
    name: errors.name,
    resource_scopes: errors.scopes,
    access_token_format: errors.accessTokenFormat,
    access_token_algorithm: errors.accessTokenAlgorithm,
    access_token_lifetime: errors.accessTokenLifetimeSeconds,
    publish_metadata: errors.publishesMetadata,
    detail_types: errors.detailTypes,
    introspection_client: errors.introspectionClient,
  });
}
