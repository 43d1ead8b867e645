import { isWithin } from './scope.ts';

/**
 * The resource servers that something may be used at (RFC 8707), by their URIs; empty: at every one.
 * Whether a URI is known is not asked here.
 */
export type Resources = readonly string[];

/** What is left of `granted` for who asked for these, or for none in particular; undefined when they ask for more. */
export function narrowResources(asked: Resources, granted: Resources): Resources | undefined {
  if (asked.length === 0) return granted;
  return granted.length === 0 || isWithin(asked, granted) ? asked : undefined;
}

/** Whether both name the same ones, in any order. */
export function sameResources(left: Resources, right: Resources): boolean {
  return isWithin(left, right) && isWithin(right, left);
}

/** As events say it: nothing where there is no restriction. */
export function resourceMember(resources: Resources): { readonly resource?: Resources } {
  return resources.length === 0 ? {} : { resource: resources };
}
