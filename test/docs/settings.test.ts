import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settingsDocument, SETTINGS_FILE } from '../../scripts/docs-settings.ts';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { english } from '../../src/language/english.ts';
import { readDocument, tableRows } from '../support/documents.ts';

describe('The settings document', () => {
  it('is the output of npm run docs:settings', () => {
    expect(readFileSync(SETTINGS_FILE, 'utf8')).to.equal(settingsDocument());
  });

  it('has a row for each setting, with its description', () => {
    const rows = tableRows(readDocument('docs/settings.md').text);
    expect(rows.map(([name]) => name)).to.deep.equal(SETTING_NAMES.map((name) => `\`${name}\``));
    expect(rows.map(([, , , description]) => description)).to.deep.equal(
      SETTING_NAMES.map((name) => english.t(`setting.${name}`)),
    );
  });
});
