import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/events.ts';
import { encodeEvent } from '../../src/domain/events.ts';
import type { Decider, Decision } from '../../src/event-store/decider.ts';

export interface Given<Command> {
  when(command: Command): Then;
}

export interface Then {
  readonly decision: Decision<DomainEvent, string>;
  /** Expects events of these types, in order, and no refusal. */
  accepted(...types: readonly DomainEvent['type'][]): Then;
  /** Expects the refusal, together with events of these types. */
  refused(refusal: string, ...types: readonly DomainEvent['type'][]): Then;
  /** Expects neither an event nor a refusal, because the command changes nothing. */
  changesNothing(): Then;
}

/**
 * Describes a stream's state by the commands that led to it, all of which must be accepted. `when` decides them, so
 * that a test reports any failure, even if `given` is called while tests are being declared.
 */
export function given<Command, State, Event extends DomainEvent, Refusal extends string>(
  decider: Decider<Command, State, Event, Refusal>,
  ...history: readonly Command[]
): Given<Command> {
  const stateBefore = (): State =>
    history.reduce((state, command) => {
      const { events, refusal } = decider.decide(command, state);
      if (refusal !== undefined && events.length === 0)
        throw new Error(`a command of the history was refused: ${refusal}`);
      return events.reduce(decider.evolve, state);
    }, decider.initial);
  return { when: (command) => createThen(decider.decide(command, stateBefore())) };
}

function createThen(decision: Decision<DomainEvent, string>): Then {
  for (const event of decision.events) encodeEvent(event); // every event must be encodable
  const types = decision.events.map(({ type }) => type);
  const outcome: Then = {
    decision,
    accepted(...expected) {
      expect(decision.refusal).to.equal(undefined);
      expect(types).to.deep.equal(expected);
      return outcome;
    },
    refused(refusal, ...expected) {
      expect(decision.refusal).to.equal(refusal);
      expect(types).to.deep.equal(expected);
      return outcome;
    },
    changesNothing: () => outcome.accepted(),
  };
  return outcome;
}
