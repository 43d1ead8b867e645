import { expect } from 'chai';
import fc from 'fast-check';
import {
  changedSettings,
  type ChangedSettingsState,
  type ChangeSettings,
  type SettingValue,
} from '../../src/domain/changed-settings.ts';

const BASE_VALUES: Readonly<Record<string, SettingValue>> = { lifetime: 60, methods: ['S256'] };

const change = (changes: Partial<ChangeSettings>): ChangeSettings => ({
  type: 'ChangeSettings',
  set: {},
  reset: [],
  basedOnChanges: 0,
  baseValues: BASE_VALUES,
  ...changes,
});

/** A change that sets or resets each setting, or leaves it as it is. */
const aChange = fc
  .record({
    lifetime: fc.constantFrom(60, 120, 'reset', 'keep'),
    methods: fc.constantFrom(['S256'], ['S256', 'plain'], 'reset', 'keep'),
    other: fc.constantFrom('reset', 'keep'),
  })
  .map((actions) => ({
    set: Object.fromEntries(Object.entries(actions).filter(([, action]) => typeof action !== 'string')),
    reset: Object.entries(actions).flatMap(([name, action]) => (action === 'reset' ? name : [])),
  }));

const stateAfter = (...changes: readonly Partial<ChangeSettings>[]): ChangedSettingsState =>
  changes.reduce<ChangedSettingsState>((state, fields) => {
    const { events } = changedSettings.decide(change({ basedOnChanges: state.changeCount, ...fields }), state);
    return events.reduce(changedSettings.evolve, state);
  }, changedSettings.initial);

describe('the settings that are changed while the server is running', () => {
  it('have the values that they were last set to, and none after a reset', () => {
    fc.assert(
      fc.property(fc.array(aChange), (changes) => {
        const expected = new Map<string, unknown>(Object.entries(BASE_VALUES));
        for (const { set, reset } of changes) {
          for (const [name, value] of Object.entries(set)) expected.set(name, value);
          for (const name of reset) expected.set(name, BASE_VALUES[name]);
        }
        const { values } = stateAfter(...changes);
        for (const [name, value] of Object.entries(BASE_VALUES))
          expect(values.has(name) ? values.get(name) : value).to.deep.equal(expected.get(name));
      }),
    );
  });

  it('are recorded only where a value changes, and all in one append', () => {
    const { decide, initial } = changedSettings;
    expect(decide(change({ set: { lifetime: 120, methods: ['S256'] } }), initial)).to.deep.equal({
      events: [{ type: 'SettingChanged', data: { name: 'lifetime', value: 120 } }],
    });
    const state = stateAfter({ set: { lifetime: 120 } });
    const repeated = change({ basedOnChanges: 1, set: { lifetime: 120 }, reset: ['methods'] });
    expect(decide(repeated, state)).to.deep.equal({ events: [] });
    expect(decide(change({ basedOnChanges: 1, set: { lifetime: 60 } }), state).events).to.have.length(1);
    const both = change({ basedOnChanges: 1, set: { methods: ['plain'] }, reset: ['lifetime'] });
    expect(decide(both, state)).to.deep.equal({
      events: [
        { type: 'SettingChanged', data: { name: 'methods', value: ['plain'] } },
        { type: 'SettingReset', data: { name: 'lifetime' } },
      ],
    });
  });

  it('do not change if another change came first, because settings depend on each other', () => {
    const state = stateAfter({ set: { lifetime: 120 } }, { reset: ['lifetime'] });
    expect(state.changeCount).to.equal(2);
    for (const basedOnChanges of [0, 1, 3])
      expect(changedSettings.decide(change({ set: { lifetime: 5 }, basedOnChanges }), state)).to.deep.equal({
        refusal: 'outdated',
        events: [],
      });
  });
});
