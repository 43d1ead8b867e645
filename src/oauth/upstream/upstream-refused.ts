import type { UpstreamRefusal } from '../refusals/upstream-refusal.ts';

/** A login through a provider failed. Nothing was changed. */
export class UpstreamRefused extends Error {
  override readonly name = 'UpstreamRefused';
  readonly refusal: UpstreamRefusal;

  constructor(refusal: UpstreamRefusal) {
    super(refusal.rule);
    this.refusal = refusal;
  }
}
