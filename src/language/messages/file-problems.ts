const en = {
  'pasted-keys.none': 'Paste at least one public key.',
  'pasted-keys.formats': 'Paste public keys as a JWK, as a JWK set, or in PEM format (-----BEGIN PUBLIC KEY-----).',
  'pasted-keys.private': 'This is a private key. Replace it, because it was sent here, and paste only its public half.',
  'pasted-keys.unknown': 'A block in PEM format is not a public key that this server supports: RSA, P-256 or Ed25519.',
  'jwks.not-a-set': `The file is not a JWK set: '{'"keys": [...]'}'.`,
  'jwks.count': 'A client has 1 to {limit} keys, not {count}.',
  'jwks.repeated': 'Two keys are the same.',
  'jwks.key': 'Key {number} {problem}.',
  'jwk.not-object': 'is not an object',
  'jwk.private': 'is private: it has the {member} member. Replace the key, and register only its public half',
  'jwk.kid': 'has a kid that is not a string of 1 to {limit} characters',
  'jwk.use': 'is not for signatures: its use is not "sig"',
  'jwk.unsound': 'is neither a valid RSA key of 2048 to 8192 bits with a short exponent nor a key on P-256 or Ed25519',
  'jwk.certificate': 'has an x5c whose first entry is not a certificate of this key',
  'jwk.algorithm': 'has an alg that is not {choices}',
  'jwk.address': 'The jwks_uri {problem}.',
  'sector.unreadable': '{uri} {problem}.',
  'sector.not-a-list': '{uri} is not a JSON array of redirect URIs.',
  'sector.lacks': '{uri} does not contain {missing}. Add the missing URIs to it.',
  'sector.some-of': '{some} and {more} more',
  'logo-problem.none': 'Choose a file.',
  'logo-problem.large': 'The file is {kib, number, ::.0} KiB. Use a logo of at most {limit} KiB.',
  'logo-problem.size': 'The image is {width} × {height} pixels. Use {minimum} to {maximum} pixels on each side.',
  'logo-problem.svg': 'SVG is not accepted, because it can contain scripts. Export the logo as a PNG.',
  'logo-problem.unknown': 'The file is not a PNG, JPEG or WebP image.',
  'logo-problem.cut-off': 'The image is cut off.',
  'logo-problem.excess': 'The file contains more than the image. Export it again.',
  'logo-problem.damaged': 'The JPEG is damaged.',
  'logo-problem.rare': 'The JPEG uses a rare format. Save it as a PNG.',
  'logo-problem.animated': 'The image is animated. Use a still image.',
  'logo-problem.no-image': 'The {format} contains no image.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'pasted-keys.none': 'Fügen Sie mindestens einen öffentlichen Schlüssel ein.',
  'pasted-keys.formats':
    'Fügen Sie öffentliche Schlüssel als JWK, als JWK-Set oder im PEM-Format (-----BEGIN PUBLIC KEY-----) ein.',
  'pasted-keys.private':
    'Das ist ein privater Schlüssel. Ersetzen Sie ihn, weil er hierher gesendet wurde, und fügen Sie nur seinen ' +
    'öffentlichen Teil ein.',
  'pasted-keys.unknown':
    'Ein Block im PEM-Format ist kein öffentlicher Schlüssel, den dieser Server kennt: RSA, P-256 oder Ed25519.',
  'jwks.not-a-set': `Das ist kein JWK-Set: '{'"keys": [...]'}'.`,
  'jwks.count': 'Eine Anwendung hat 1 bis {limit} Schlüssel, nicht {count}.',
  'jwks.repeated': 'Zwei Schlüssel sind gleich.',
  'jwks.key': 'Schlüssel {number} {problem}.',
  'jwk.not-object': 'ist kein Objekt',
  'jwk.private':
    'ist privat: Er hat das Feld {member}. Ersetzen Sie den Schlüssel, und registrieren Sie nur seinen öffentlichen ' +
    'Teil',
  'jwk.kid': 'hat eine kid, die kein Text mit 1 bis {limit} Zeichen ist',
  'jwk.use': 'ist nicht für Signaturen: Sein use ist nicht "sig"',
  'jwk.unsound':
    'ist weder ein sicherer RSA-Schlüssel mit 2048 bis 8192 Bit und kurzem Exponenten noch einer auf P-256 oder ' +
    'Ed25519',
  'jwk.certificate': 'hat ein x5c, dessen erster Eintrag kein Zertifikat dieses Schlüssels ist',
  'jwk.algorithm': 'hat ein anderes alg als {choices}',
  'jwk.address': 'Die jwks_uri {problem}.',
  'sector.unreadable': 'Das Dokument {uri} ist nicht lesbar: {problem}.',
  'sector.not-a-list': '{uri} ist keine JSON-Liste von Redirect-URIs.',
  'sector.lacks': '{uri} enthält {missing} nicht. Ergänzen Sie dort die fehlenden URIs.',
  'sector.some-of': '{some} und {more} weitere',
  'logo-problem.none': 'Wählen Sie eine Datei.',
  'logo-problem.large': 'Die Datei hat {kib, number, ::.0} KiB. Verwenden Sie ein Logo mit höchstens {limit} KiB.',
  'logo-problem.size':
    'Das Bild hat {width} × {height} Pixel. Verwenden Sie {minimum} bis {maximum} Pixel auf jeder Seite.',
  'logo-problem.svg': 'SVG wird nicht angenommen, weil es Skripte enthalten kann. Exportieren Sie das Logo als PNG.',
  'logo-problem.unknown': 'Die Datei ist kein Bild im Format PNG, JPEG oder WebP.',
  'logo-problem.cut-off': 'Das Bild ist abgeschnitten.',
  'logo-problem.excess': 'In dieser Datei steht noch etwas hinter dem Bild. Exportieren Sie es neu.',
  'logo-problem.damaged': 'Das JPEG ist beschädigt.',
  'logo-problem.rare': 'Das JPEG hat ein seltenes Format. Speichern Sie es als PNG.',
  'logo-problem.animated': 'Das Bild ist animiert. Verwenden Sie eines, das stillsteht.',
  'logo-problem.no-image': 'Das {format} enthält kein Bild.',
};

/** Problems with applications’ keys, sector documents and logos. */
export const fileProblems = { en, de };
