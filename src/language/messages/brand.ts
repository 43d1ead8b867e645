const en = {
  'brand.title': 'Brand',
  'brand.lede':
    'Your company’s name, colors and logo, on every page and in every e-mail. Changes take effect immediately, on ' +
    'every node.',
  'brand.name': 'Name',
  'brand.name-help': 'Shown in the header and page titles, in e-mails, and for passkeys and authenticator apps.',
  'brand.color': 'Color on light pages',
  'brand.color-help':
    'Used for links and buttons, including in e-mails. For example, #0b6b5b. Leave empty for Grantlog’s green.',
  'brand.color-dark': 'Color on dark pages',
  'brand.color-dark-help': 'If empty, a lighter shade of the other color is used.',
  'brand.support': 'Link to help',
  'brand.support-help':
    'An https address, or mailto: with an e-mail address. The links are at the bottom of every page.',
  'brand.privacy': 'Link to your privacy policy',
  'brand.terms': 'Link to your terms of use',
  'brand.link-help': 'An https address. It is also in the server metadata, for applications.',
  'brand.fields': 'Name, colors and links',
  'brand.enter-name': 'Enter a name of at most {limit} visible characters.',
  'brand.enter-color': 'Enter a color with six hexadecimal digits, such as #0b6b5b, or leave the field empty.',
  'brand.enter-link': 'Enter an https address, such as https://example.com/privacy, or leave the field empty.',
  'brand.enter-support':
    'Enter an https address, such as https://example.com/help, or mailto: with an e-mail address, or leave the field ' +
    'empty.',
  'brand.fixed':
    'The operator set {settings} in the configuration file or the environment. Changes are possible only there.',
  'brand.show': 'Show a preview',
  'brand.save': 'Save',
  'brand.saved': 'The brand was changed. The change takes effect immediately.',
  'brand.unchanged': 'Nothing was changed.',
  'brand.preview': 'Preview',
  'brand.preview-entered': 'With the values that you entered. They have not taken effect yet.',
  'brand.preview-saved-colors':
    'With the saved colors, because the entered color cannot be used. Nothing has taken effect yet.',
  'brand.preview-saved-name':
    'With the saved name, because the entered one cannot be used. Nothing has taken effect yet.',
  'brand.preview-saved': 'With the saved name and colors, because the entered ones cannot be used.',
  'brand.preview-light': 'Light page',
  'brand.preview-dark': 'Dark page',
  'brand.sample-application': 'Harbor Calendar',
  'brand.sample-consent': 'wants to access your account at {brand}.',
  'brand.sample-allow': 'Authorize',
  'brand.sample-deny': 'Deny',
  'brand.sample-link': 'What can it see?',
  'brand.sample-selected': 'Selected',
  'brand.sample-danger': 'Remove',
  'brand.sample-good': 'The change was saved. Notices like this one stay green.',
  'brand.pick-light': 'Pick the light color',
  'brand.pick-dark': 'Pick the dark color',
  'brand.mail-text':
    'E-mails use the saved name, the color for light pages and the logo. The links in the examples do not work.',
  'brand.mail': 'E-mails',
  'brand.mail-subject': 'Subject: <b>{subject}</b>',
  'brand.logo': 'Logo',
  'brand.logo-dark': 'Logo on dark pages',
  'brand.logo-lede':
    'Shown next to the name on pages and in e-mails, and in the browser tab. PNG, JPEG or WebP of at most 24 KiB.',
  'brand.logo-dark-lede':
    'Shown next to the name on dark pages, instead of the other logo. PNG, JPEG or WebP of at most 24 KiB.',
  'brand.logo-file': 'File',
  'brand.logo-upload': 'Upload',
  'brand.logo-remove': 'Remove',
  'brand.logo-alt': 'The current logo',
  'brand.logo-changed': 'The logo was changed. The change takes effect immediately.',
  'brand.logo-removed': 'The logo was removed.',
  'brand.texts': 'Texts',
  'brand.texts-count':
    '{count, plural, =0 {All texts are Grantlog’s own.} one {One text is yours.} other {{count} texts are yours.}}',
  'brand.texts-change': 'Change page and e-mail texts',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'brand.title': 'Erscheinungsbild',
  'brand.lede':
    'Der Name, die Farben und das Logo Ihres Unternehmens, auf jeder Seite und in jeder Mail. Änderungen gelten ' +
    'sofort, auf jedem Knoten.',
  'brand.name': 'Name',
  'brand.name-help': 'In der Kopfzeile und den Titeln der Seiten, in Mails, für Passkeys und Authentifizierungs-Apps.',
  'brand.color': 'Farbe heller Seiten',
  'brand.color-help':
    'Für Links und Schaltflächen, auch in Mails, zum Beispiel #0b6b5b. Ohne Angabe gilt das Grün von Grantlog.',
  'brand.color-dark': 'Farbe dunkler Seiten',
  'brand.color-dark-help': 'Ohne Angabe gilt ein hellerer Ton der anderen Farbe.',
  'brand.support': 'Link zur Hilfe',
  'brand.support-help':
    'Eine https-Adresse oder mailto: mit einer E-Mail-Adresse. Die Links stehen am Ende jeder Seite.',
  'brand.privacy': 'Link zur Datenschutzerklärung',
  'brand.terms': 'Link zu den Nutzungsbedingungen',
  'brand.link-help': 'Eine https-Adresse. Anwendungen finden sie auch in den Metadaten des Servers.',
  'brand.fields': 'Name, Farben und Links',
  'brand.enter-name': 'Geben Sie einen Namen mit höchstens {limit} sichtbaren Zeichen ein.',
  'brand.enter-color': 'Geben Sie eine Farbe mit sechs Hexadezimalziffern ein, zum Beispiel #0b6b5b, oder nichts.',
  'brand.enter-link': 'Geben Sie eine https-Adresse ein, zum Beispiel https://example.com/privacy, oder nichts.',
  'brand.enter-support':
    'Geben Sie eine https-Adresse ein, zum Beispiel https://example.com/help, oder mailto: mit einer ' +
    'E-Mail-Adresse, oder nichts.',
  'brand.fixed':
    'Der Betreiber hat {settings} in der Konfigurationsdatei oder der Umgebung festgelegt. Nur dort lässt sich das ' +
    'ändern.',
  'brand.show': 'Vorschau anzeigen',
  'brand.save': 'Speichern',
  'brand.saved': 'Das Erscheinungsbild wurde geändert und gilt jetzt.',
  'brand.unchanged': 'Es wurde nichts geändert.',
  'brand.preview': 'Vorschau',
  'brand.preview-entered': 'Mit den eingegebenen Werten. Sie gelten noch nicht.',
  'brand.preview-saved-colors':
    'Mit den gespeicherten Farben, weil sich die eingegebene Farbe nicht verwenden lässt. Es gilt noch nichts davon.',
  'brand.preview-saved-name':
    'Mit dem gespeicherten Namen, weil sich der eingegebene nicht verwenden lässt. Es gilt noch nichts davon.',
  'brand.preview-saved':
    'Mit dem gespeicherten Namen und den gespeicherten Farben, weil sich die eingegebenen nicht verwenden lassen.',
  'brand.preview-light': 'Helle Seite',
  'brand.preview-dark': 'Dunkle Seite',
  'brand.sample-application': 'Hafenkalender',
  'brand.sample-consent': 'möchte auf Ihr Konto bei {brand} zugreifen.',
  'brand.sample-allow': 'Zulassen',
  'brand.sample-deny': 'Ablehnen',
  'brand.sample-link': 'Was kann die Anwendung sehen?',
  'brand.sample-selected': 'Ausgewählt',
  'brand.sample-danger': 'Entfernen',
  'brand.sample-good': 'Die Änderung wurde gespeichert. Solche Hinweise bleiben grün.',
  'brand.pick-light': 'Helle Farbe auswählen',
  'brand.pick-dark': 'Dunkle Farbe auswählen',
  'brand.mail-text':
    'Mails zeigen den gespeicherten Namen, die Farbe heller Seiten und das Logo. Die Links der Beispiele ' +
    'funktionieren nicht.',
  'brand.mail': 'Mails',
  'brand.mail-subject': 'Betreff: <b>{subject}</b>',
  'brand.logo': 'Logo',
  'brand.logo-dark': 'Logo auf dunklen Seiten',
  'brand.logo-lede':
    'Neben dem Namen, auf Seiten und in Mails, und im Tab des Browsers. PNG, JPEG oder WebP mit höchstens 24 KiB.',
  'brand.logo-dark-lede':
    'Neben dem Namen auf dunklen Seiten, statt des anderen Logos. PNG, JPEG oder WebP mit höchstens 24 KiB.',
  'brand.logo-file': 'Datei',
  'brand.logo-upload': 'Hochladen',
  'brand.logo-remove': 'Entfernen',
  'brand.logo-alt': 'Das aktuelle Logo',
  'brand.logo-changed': 'Das Logo wurde geändert und gilt jetzt.',
  'brand.logo-removed': 'Das Logo wurde entfernt.',
  'brand.texts': 'Texte',
  'brand.texts-count':
    '{count, plural, =0 {Alle Texte stammen von Grantlog.} one {Ein Text stammt von Ihnen.} other {{count} Texte ' +
    'stammen von Ihnen.}}',
  'brand.texts-change': 'Texte von Seiten und Mails ändern',
};

/** Messages on the page where administrators change the brand. */
export const brand = { en, de };
