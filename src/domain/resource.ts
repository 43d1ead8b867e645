import { isWithin } from './scope.ts';

/**
 * The URIs of the resource servers that a credential is restricted to (RFC 8707); empty if it is not restricted.
 * This module does not check whether a URI is known.
 */
export type Resources = readonly string[];

/** `requested` restricted to `granted`, all of `granted` if none are requested; undefined if more is requested. */
export function narrowResources(requested: Resources, granted: Resources): Resources | undefined {
  if (requested.length === 0) return granted;
  return granted.length === 0 || isWithin(requested, granted) ? requested : undefined;
}

/** Whether both contain the same URIs, in any order. */
export function sameResources(left: Resources, right: Resources): boolean {
  return isWithin(left, right) && isWithin(right, left);
}

/** The member `resource` of an event; absent if there is no restriction. */
export function resourceMember(resources: Resources): { readonly resource?: Resources } {
  return resources.length === 0 ? {} : { resource: resources };
}
