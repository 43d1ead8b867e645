import { removeSettingName } from '../../../config/named-problem.ts';
import {
  formatFieldValue,
  toEnvironmentValue,
  deriveInput,
  type SettingInput,
} from '../../../config/setting-inputs.ts';
import { settings, type SettingName } from '../../../config/settings.ts';
import { durationText } from '../../../language/durations.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Form } from '../../pipeline/form.ts';
import { choiceTitle } from './setting-choices.ts';
import { hasForecast } from './shown-forecast.ts';

const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;

type Unit = keyof typeof UNITS;

type NumberInput = Extract<SettingInput, { readonly kind: 'number' }>;

/** The values entered in a setting's form. */
export interface EnteredSetting {
  readonly value: string;
  /** The unit of a duration. */
  readonly unit: Unit;
}

/** The parts of the page that depend on the setting but not on its value. */
export interface SettingForm {
  readonly input: SettingInput;
  /** The options to choose from; empty if the setting is not a choice. */
  readonly options: readonly { readonly value: string; readonly title: Text; readonly help: string }[];
  /** A description of the values that the field accepts; empty if there are options to choose from. */
  readonly help: Text;
  /** The units in which the duration can be entered; empty if the setting is not a duration. */
  readonly units: readonly Unit[];
  /** Whether the next page forecasts the effect of the entered value. */
  readonly hasForecast: boolean;
  /** A page dedicated to the setting or to the data that the setting refers to; null if no such page exists. */
  readonly seeAlso: { readonly href: string; readonly title: Text } | null;
}

/** Returns the value as the form shows it. A duration is in the largest unit that gives a whole number. */
export function toEnteredSetting(input: SettingInput, value: unknown): EnteredSetting {
  if (input.kind !== 'number' || input.unit !== 'seconds' || typeof value !== 'number' || value === 0)
    return { value: formatFieldValue(input, value), unit: 'seconds' };
  const units = (Object.keys(UNITS) as Unit[]).filter((unit) => value % UNITS[unit] === 0);
  const unit = units.at(-1) ?? 'seconds';
  return { value: String(value / UNITS[unit]), unit };
}

/** Reads the entered value and unit. If the setting takes several options, each chosen option is on its own line. */
export function readEnteredSetting(form: Pick<Form, 'text' | 'list'>, { kind }: SettingInput): EnteredSetting {
  const value = kind === 'choices' ? form.list('setting_value').join('\n') : form.text('setting_value');
  const enteredUnit = form.text('setting_unit');
  return { value, unit: (Object.keys(UNITS) as Unit[]).find((unit) => unit === enteredUnit) ?? 'seconds' };
}

/** Returns the entered value in the syntax of environment variables. A duration is converted to seconds. */
export function settingText(input: SettingInput, { value, unit }: EnteredSetting): string {
  const text = toEnvironmentValue(input, value);
  const isDuration = input.kind === 'number' && input.unit === 'seconds' && /^\d{1,9}$/.test(text);
  return isDuration ? String(Number(text) * UNITS[unit]) : text;
}

function unitsOf(input: SettingInput): readonly Unit[] {
  if (input.kind !== 'number' || input.unit !== 'seconds') return [];
  return (Object.keys(UNITS) as Unit[]).filter((unit) => UNITS[unit] <= input.max);
}

const LINES_HELP: Readonly<Partial<Record<SettingName, Text>>> = {
  resources: message('one-setting.resources-help'),
  redirectUriSchemes: message('one-setting.schemes-help'),
};

/** Describes the values that the field accepts. */
function helpOf(name: SettingName, input: SettingInput): Text {
  switch (input.kind) {
    case 'choice':
    case 'choices':
      return '';
    case 'lines':
      return LINES_HELP[name] ?? message('one-setting.each-line');
    case 'number':
      return message(input.canBeNull ? 'one-setting.range-or-none' : 'one-setting.range', formatRange(input));
    case 'json':
    case 'text':
      return message('one-setting.expects', { expects: settings[name].expects });
  }
}

/**
 * Rewords the problem with an entered value for a page that already shows the value and the setting's name. The limits
 * of a range are formatted as in the field's help.
 */
export function rewordEntryProblem(name: SettingName, problem: Text): Text {
  const input = deriveInput(name);
  const text = removeSettingName(problem);
  if (typeof text === 'string' || !text.key.startsWith('setting-problem.must-be')) return text;
  if (input.kind === 'number')
    return message(input.canBeNull ? 'one-setting.enter-range-or-none' : 'one-setting.enter-range', formatRange(input));
  const { where, issue } = text.values as { readonly where?: string; readonly issue?: string };
  const { expects } = settings[name];
  return where === undefined || issue === undefined
    ? message('one-setting.enter', { expects })
    : message('one-setting.enter-at', { expects, where, issue });
}

function formatRange({ min, max, unit }: NumberInput): { readonly min: Text; readonly max: Text } {
  const formatNumber = (number: number): Text =>
    unit === 'seconds' ? durationText(number) : message('list.number', { number });
  return { min: formatNumber(min), max: formatNumber(max) };
}

function optionsOf(name: SettingName, input: SettingInput): SettingForm['options'] {
  if (input.kind !== 'choice' && input.kind !== 'choices') return [];
  return input.options.map((value) => {
    const isFlag = value === 'true' || value === 'false';
    const title = isFlag ? message(value === 'true' ? 'value.yes' : 'value.no') : choiceTitle(name, value);
    return { value, title: title ?? value, help: title === undefined || isFlag ? '' : value };
  });
}

/** Pages dedicated to settings, or to the data that settings refer to. */
const DEDICATED_PAGES: Readonly<Partial<Record<SettingName, SettingForm['seeAlso']>>> = {
  ...samePageFor(['scopes', 'scopeDisplay'], '/admin/scopes/', message('admin.scopes')),
  ...samePageFor(
    ['brandName', 'brandColor', 'brandColorDark', 'brandLogo', 'brandLogoDark', 'brandLinks'],
    '/admin/brand/',
    message('brand.title'),
  ),
  ...samePageFor(['brandTexts'], '/admin/brand/texts/', message('brand-texts.title')),
  ...samePageFor(['clientDocuments'], '/admin/domains/', message('admin.domains')),
};

/** Returns entries that map each of the settings to the given page. */
function samePageFor(names: readonly SettingName[], href: string, title: Text): typeof DEDICATED_PAGES {
  return Object.fromEntries(names.map((name) => [name, { href, title }]));
}

/** Returns the parts of the page that depend on the setting but not on its value. */
export function settingFormFor(name: SettingName): SettingForm {
  const input = deriveInput(name);
  return {
    input,
    options: optionsOf(name, input),
    help: helpOf(name, input),
    units: unitsOf(input),
    hasForecast: hasForecast(name),
    seeAlso: DEDICATED_PAGES[name] ?? null,
  };
}
