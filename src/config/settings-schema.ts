import { z } from 'zod';
import { english } from '../language/english.ts';
import { effectiveDefault } from './effective-defaults.ts';
import { SETTING_NAMES, settings } from './settings.ts';

/** Returns the JSON Schema of the configuration file, for text editors. The server performs additional checks. */
export function settingsSchema(): object {
  const properties = SETTING_NAMES.map((name) => {
    const { schema, unit, secret } = settings[name];
    const description = english.t(`setting.${name}`);
    const { value: defaultValue } = effectiveDefault(name, 'file');
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const fullDescription = unit === undefined ? description : `${description} In ${unit}.`;
    return [
      name,
      { ...shape, description: fullDescription, default: defaultValue, ...(secret === true && { writeOnly: true }) },
    ] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Grantlog settings',
    type: 'object',
    properties: Object.fromEntries(properties),
  };
}
