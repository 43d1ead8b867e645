const en = {
  'pasted-keys.none': 'Paste at least one public key.',
  'pasted-keys.formats': 'Paste public keys as a JWK, as a JWK set, or in PEM format (-----BEGIN PUBLIC KEY-----).',
  'pasted-keys.private':
    'This is a private key. Replace it, because it has been sent to this server, and paste only the public half of ' +
    'the new key.',
  'pasted-keys.unknown': 'One of the PEM blocks is not a public key that this server supports: RSA, P-256 or Ed25519.',
  'jwks.not-a-set': `This is not a JWK set. Use the form '{'"keys": [...]'}'.`,
  'jwks.count': 'A client must have 1 to {limit} keys, not {count}.',
  'jwks.repeated': 'Two keys are the same.',
  'jwks.key': 'Key {number} {problem}.',
  'jwk.not-object': 'is not an object',
  'jwk.private':
    'is private: it has the {member} member. Replace the key, and register only the public half of the new one',
  'jwk.kid': 'has a kid that is not a string of 1 to {limit} characters',
  'jwk.use': 'is not for signatures: its use is not "sig"',
  'jwk.unsound':
    'is neither a valid RSA key of 2048 to 8192 bits with a short exponent nor a valid P-256 or Ed25519 key',
  'jwk.certificate': 'has an x5c whose first entry is not a certificate for this key',
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
  'logo-problem.cut-off': 'The image file is incomplete.',
  'logo-problem.excess': 'The file contains more than the image. Export it again.',
  'logo-problem.damaged': 'The JPEG is damaged.',
  'logo-problem.rare': 'JPEGs of this kind are not supported. Save the image as a PNG.',
  'logo-problem.animated': 'The image is animated. Use a still image.',
  'logo-problem.no-image': 'The {format} contains no image.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'pasted-keys.none': 'Fügen Sie mindestens einen öffentlichen Schlüssel ein.',
  'pasted-keys.formats':
    'Fügen Sie öffentliche Schlüssel als JWK, als JWK-Set oder im PEM-Format (-----BEGIN PUBLIC KEY-----) ein.',
  'pasted-keys.private':
    'Das ist ein privater Schlüssel. Ersetzen Sie ihn, weil er an diesen Server gesendet wurde, und fügen Sie nur ' +
    'den öffentlichen Teil des neuen Schlüssels ein.',
  'pasted-keys.unknown':
    'Einer der PEM-Blöcke ist kein öffentlicher Schlüssel, den dieser Server unterstützt: RSA, P-256 oder Ed25519.',
  'jwks.not-a-set': `Das ist kein JWK-Set. Verwenden Sie die Form '{'"keys": [...]'}'.`,
  'jwks.count': 'Eine Anwendung hat 1 bis {limit} Schlüssel, nicht {count}.',
  'jwks.repeated': 'Zwei Schlüssel sind gleich.',
  'jwks.key': 'Schlüssel {number} {problem}.',
  'jwk.not-object': 'ist kein Objekt',
  'jwk.private':
    'ist privat: Er hat das Feld {member}. Ersetzen Sie den Schlüssel, und registrieren Sie nur den öffentlichen ' +
    'Teil des neuen',
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
  'logo-problem.cut-off': 'Die Bilddatei ist unvollständig.',
  'logo-problem.excess': 'In dieser Datei steht noch etwas hinter dem Bild. Exportieren Sie es neu.',
  'logo-problem.damaged': 'Das JPEG ist beschädigt.',
  'logo-problem.rare': 'JPEGs dieser Art werden nicht unterstützt. Speichern Sie das Bild als PNG.',
  'logo-problem.animated': 'Das Bild ist animiert. Verwenden Sie eines, das stillsteht.',
  'logo-problem.no-image': 'Das {format} enthält kein Bild.',
};

/** Problems with applications’ keys, sector documents and logos. */
export const fileProblems = { en, de };
