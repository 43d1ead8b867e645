import type { Presentation } from '../../../domain/presentation.ts';
import type { PresentationFields } from '../../../oauth/clients/presentation-rules.ts';
import type { Form } from '../../pipeline/form.ts';
import type { FieldErrors } from '../page-context.ts';
import type { PresentationValues } from './form-locals.ts';

/** The form field for each member. */
export const PRESENTATION_FORM_FIELDS = {
  description: 'description',
  homepageUri: 'homepage_uri',
  policyUri: 'policy_uri',
  tosUri: 'tos_uri',
} as const satisfies Readonly<Record<keyof Presentation, string>>;

/**
 * Reads the presentation section of the form.
 * @param current the current values, kept if the form lacks this section (the hidden `presentation` field is absent)
 */
export function readPresentation(form: Form, current: PresentationFields | undefined): PresentationFields {
  if (form.text('presentation') === '') return current ?? {};
  return {
    description: form.trimmed('description'),
    homepageUri: form.trimmed('homepage_uri'),
    policyUri: form.trimmed('policy_uri'),
    tosUri: form.trimmed('tos_uri'),
  };
}

/**
 * Returns the values of the section. The section is open if one of its fields is set. If the form is invalid, the
 * section is open only if one of its own fields has an error.
 */
export function presentationValues(fields: PresentationFields, errors: FieldErrors): PresentationValues {
  const values = {
    description: fields.description ?? '',
    homepageUri: fields.homepageUri ?? '',
    policyUri: fields.policyUri ?? '',
    tosUri: fields.tosUri ?? '',
  };
  const hasError = Object.values(PRESENTATION_FORM_FIELDS).some((name) => errors[name] !== undefined);
  const isInvalid = Object.keys(errors).length > 0;
  return { ...values, isOpen: isInvalid ? hasError : Object.values(values).some((value) => value !== '') };
}
