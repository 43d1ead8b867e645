import { z } from 'zod';
import { effectiveDefault } from './effective-defaults.ts';
import { SETTING_NAMES, settings } from './settings.ts';

/** JSON Schema of a configuration file, for editors; what a schema cannot say is checked at the start. */
export function settingsSchema(): object {
  const properties = SETTING_NAMES.map((name) => {
    const { schema, description, unit, secret } = settings[name];
    const { value: preset } = effectiveDefault(name, 'file'); // such a file is always a named one
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const words = unit === undefined ? description : `${description} In ${unit}.`;
    return [
      name,
      { ...shape, description: words, default: preset, ...(secret === true && { writeOnly: true }) },
    ] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Grantlog settings',
    type: 'object',
    properties: Object.fromEntries(properties),
  };
}
