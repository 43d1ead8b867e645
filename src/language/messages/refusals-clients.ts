const en = {
  'refusal.client-credentials-missing.rule': 'A client must identify itself (RFC 6749 §2.3).',
  'refusal.client-credentials-missing.expected': 'HTTP Basic, or client_id and client_secret in the body',
  'refusal.client-credentials-missing.seen': 'neither',
  'refusal.client-credentials-missing.advice':
    'Send the credentials with this request. If there is a proxy, check that it forwards the Authorization header.',
  'refusal.client-id-missing.rule': 'client_secret requires client_id.',
  'refusal.client-id-missing.expected': 'client_id and client_secret',
  'refusal.client-id-missing.seen': 'only client_secret',
  'refusal.client-id-missing.advice': 'Send client_id as well.',
  'refusal.authorization-header.rule': 'Clients that use the Authorization header must authenticate with HTTP Basic.',
  'refusal.authorization-header.expected': 'Authorization: Basic base64(client_id:client_secret)',
  'refusal.authorization-header.seen': 'Basic with a malformed value',
  'refusal.authorization-header.seen-2': '{scheme, select, another {a different scheme} other {the {scheme} scheme}}',
  'refusal.authorization-header.advice':
    'Encode client_id, a colon and client_secret in base64, without a trailing line break.',
  'refusal.authorization-header.advice-2':
    'Send client credentials. An access token does not authenticate a client here.',
  'refusal.client-credentials-disagree.rule':
    'A client must use one authentication method per request (RFC 6749 §2.3).',
  'refusal.client-credentials-disagree.expected': 'credentials in the Authorization header or in the body',
  'refusal.client-credentials-disagree.seen': 'both, with different values for {differs}',
  'refusal.client-credentials-disagree.advice':
    'Send the credentials either in the Authorization header or in the body. Most libraries have a setting for this ' +
    '(client_secret_basic, client_secret_post).',
  'refusal.client-disabled.rule': 'Requests from a disabled application are refused.',
  'refusal.client-disabled.expected': 'an enabled application',
  'refusal.client-disabled.seen': 'a disabled application',
  'refusal.client-disabled.advice': 'Ask an administrator to enable the application: grantlog client enable ID',
  'refusal.client-secret-missing.rule': 'A confidential client must authenticate with its secret.',
  'refusal.client-secret-missing.expected': 'the client_secret',
  'refusal.client-secret-missing.seen': 'none',
  'refusal.client-secret-missing.advice':
    'Send the secret. If the application cannot keep its secret confidential, register it as public.',
  'refusal.client-secret-unexpected.rule': 'A public client has no secret.',
  'refusal.client-secret-unexpected.expected': 'only client_id',
  'refusal.client-secret-unexpected.seen': 'a client_secret',
  'refusal.client-secret-unexpected.advice': 'Remove client_secret, or register the application as confidential.',
  'refusal.client-key-missing.rule':
    "The hash of this secret is encrypted, and the server needs the client's key to check the secret.",
  'refusal.client-key-missing.expected': "the client's key in keys/clients.keys",
  'refusal.client-key-missing.seen': 'no key that can decrypt the hash, so every secret is refused',
  'refusal.client-key-missing.advice':
    'Rotate the secret, or have the operator restore the key. The grantlog doctor command explains how.',
  'refusal.client-secret-wrong.rule': "The secret in the request must match the client's secret.",
  'refusal.client-secret-wrong.expected': 'the client_secret, exactly as it was shown',
  'refusal.client-secret-wrong.seen': 'a secret with whitespace around it',
  'refusal.client-secret-wrong.seen-2': 'a different secret; {looks}',
  'refusal.client-secret-wrong.advice':
    'Trim the secret. The usual cause is a line break at the end of a file or an environment variable.',
  'refusal.client-secret-wrong.advice-2':
    "Compare the secret with the one that you saved. If you lost it, rotate the secret on the application's page.",
  'refusal.client-secret-ended.rule': 'After a rotation, the previous secret stays valid only for a limited time.',
  'refusal.client-secret-ended.expected': 'the newest client_secret',
  'refusal.client-secret-ended.seen': 'the previous secret, whose recorded rotation time is in the future',
  'refusal.client-secret-ended.seen-2': 'the previous secret, which expired {duration} ago',
  'refusal.client-secret-ended.advice': 'Deploy the newest secret.',
  'refusal.client-method-not-allowed.rule':
    'A client must authenticate with a method that it is registered for (RFC 7591 §2).',
  'refusal.client-method-not-allowed.advice':
    'Use a registered method, or register the one that you used: grantlog client update CLIENT_ID --auth-method ' +
    'METHOD.',
  'refusal.client-methods-mixed.rule': 'A client must use one authentication method per request (RFC 6749 §2.3).',
  'refusal.client-methods-mixed.expected': 'an assertion or a secret',
  'refusal.client-methods-mixed.seen': 'both',
  'refusal.client-methods-mixed.advice':
    'Send either an assertion or a secret. With an assertion, send no Authorization header and no client_secret.',
  'refusal.client-public.rule':
    '{what, select, introspection {Introspection} exchange {Token exchange} other {{what}}} requires a confidential ' +
    'client.',
  'refusal.client-public.expected': 'a confidential client',
  'refusal.client-public.seen': 'a public client, which cannot authenticate',
  'refusal.client-public.advice': 'Register a confidential application, and use its credentials.',
  'refusal.client-not-registered-for.rule': 'A client may use only the grant types that it is registered for.',
  'refusal.client-not-registered-for.advice': 'Add the grant type to the application, or use a registered one.',
  'refusal.clients.unknown-client.rule': 'The client must be registered.',
  'refusal.clients.unknown-client.expected': 'the client_id of a registered application',
  'refusal.clients.unknown-client.seen': 'client_id and client_secret swapped',
  'refusal.clients.unknown-client.seen-2': 'an unknown client_id of {length} characters; {looks}',
  'refusal.clients.unknown-client.advice': 'Swap client_id and client_secret.',
  'refusal.clients.unknown-client.advice-2':
    'The client_id has the right format. Check whether the application was deleted, or is registered with another ' +
    'server.',
  'refusal.clients.unknown-client.advice-3': "Copy the client_id from the application's page.",
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.client-credentials-missing.rule': 'Ein Client muss sich identifizieren (RFC 6749 §2.3).',
  'refusal.client-credentials-missing.expected': 'HTTP Basic, oder client_id und client_secret im Body',
  'refusal.client-credentials-missing.seen': 'keines von beiden',
  'refusal.client-credentials-missing.advice':
    'Senden Sie die Zugangsdaten mit dieser Anfrage. Gibt es einen Proxy, prüfen Sie, ob er den Header Authorization ' +
    'weitergibt.',
  'refusal.client-id-missing.rule': 'client_secret setzt client_id voraus.',
  'refusal.client-id-missing.expected': 'client_id und client_secret',
  'refusal.client-id-missing.seen': 'nur client_secret',
  'refusal.client-id-missing.advice': 'Senden Sie auch client_id.',
  'refusal.authorization-header.rule':
    'Clients, die den Header Authorization verwenden, müssen sich mit HTTP Basic authentifizieren.',
  'refusal.authorization-header.expected': 'Authorization: Basic base64(client_id:client_secret)',
  'refusal.authorization-header.seen': 'Basic mit einem Wert, der sich nicht lesen lässt',
  'refusal.authorization-header.seen-2': '{scheme, select, another {ein anderes Schema} other {das Schema {scheme}}}',
  'refusal.authorization-header.advice':
    'Kodieren Sie client_id, einen Doppelpunkt und client_secret in Base64, ohne Zeilenumbruch am Ende.',
  'refusal.authorization-header.advice-2':
    'Senden Sie die Zugangsdaten des Clients. Ein Zugriffstoken authentifiziert hier keinen Client.',
  'refusal.client-credentials-disagree.rule':
    'Ein Client darf in einer Anfrage nur eine Methode der Authentifizierung verwenden (RFC 6749 §2.3).',
  'refusal.client-credentials-disagree.expected': 'Zugangsdaten im Header Authorization oder im Body',
  'refusal.client-credentials-disagree.seen': 'beides, mit verschiedenen Werten von {differs}',
  'refusal.client-credentials-disagree.advice':
    'Senden Sie die Zugangsdaten entweder im Header Authorization oder im Body. Die meisten Bibliotheken haben dafür ' +
    'eine Einstellung (client_secret_basic, client_secret_post).',
  'refusal.client-disabled.rule': 'Anfragen einer gesperrten Anwendung werden abgelehnt.',
  'refusal.client-disabled.expected': 'eine Anwendung, die nicht gesperrt ist',
  'refusal.client-disabled.seen': 'eine gesperrte Anwendung',
  'refusal.client-disabled.advice':
    'Bitten Sie einen Administrator, die Anwendung zu entsperren: grantlog client enable ID',
  'refusal.client-secret-missing.rule': 'Ein vertraulicher Client muss sich mit seinem Client-Secret authentifizieren.',
  'refusal.client-secret-missing.expected': 'das client_secret',
  'refusal.client-secret-missing.seen': 'nichts',
  'refusal.client-secret-missing.advice':
    'Senden Sie das Client-Secret. Kann die Anwendung keines geheim halten, registrieren Sie sie als öffentlich.',
  'refusal.client-secret-unexpected.rule': 'Ein öffentlicher Client hat kein Client-Secret.',
  'refusal.client-secret-unexpected.expected': 'nur client_id',
  'refusal.client-secret-unexpected.seen': 'ein client_secret',
  'refusal.client-secret-unexpected.advice':
    'Lassen Sie client_secret weg, oder registrieren Sie die Anwendung als vertraulich.',
  'refusal.client-key-missing.rule':
    'Der Hash dieses Client-Secrets ist verschlüsselt, und der Server braucht den Schlüssel des Clients, um das ' +
    'Client-Secret zu prüfen.',
  'refusal.client-key-missing.expected': 'der Schlüssel des Clients in keys/clients.keys',
  'refusal.client-key-missing.seen':
    'kein Schlüssel, der den Hash entschlüsselt; darum wird jedes Client-Secret abgelehnt',
  'refusal.client-key-missing.advice':
    'Erneuern Sie das Client-Secret, oder lassen Sie den Betreiber den Schlüssel wiederherstellen. Der Befehl ' +
    'grantlog doctor erklärt, wie.',
  'refusal.client-secret-wrong.rule': 'Das Client-Secret in der Anfrage muss das des Clients sein.',
  'refusal.client-secret-wrong.expected': 'das client_secret, genau wie es angezeigt wurde',
  'refusal.client-secret-wrong.seen': 'ein Client-Secret mit Leerzeichen oder Zeilenumbruch am Anfang oder Ende',
  'refusal.client-secret-wrong.seen-2': 'ein anderes Client-Secret; {looks}',
  'refusal.client-secret-wrong.advice':
    'Entfernen Sie die Leerzeichen. Meist ist es ein Zeilenumbruch am Ende einer Datei oder Umgebungsvariablen.',
  'refusal.client-secret-wrong.advice-2':
    'Vergleichen Sie das Client-Secret mit dem, das Sie aufbewahrt haben. Haben Sie es verloren, erneuern Sie es auf ' +
    'der Seite der Anwendung.',
  'refusal.client-secret-ended.rule':
    'Nach einer Erneuerung bleibt das vorige Client-Secret nur für eine begrenzte Zeit gültig.',
  'refusal.client-secret-ended.expected': 'das neueste client_secret',
  'refusal.client-secret-ended.seen':
    'das vorige Client-Secret, dessen aufgezeichnete Zeit der Erneuerung in der Zukunft liegt',
  'refusal.client-secret-ended.seen-2': 'das vorige Client-Secret, das vor {duration} abgelaufen ist',
  'refusal.client-secret-ended.advice': 'Verwenden Sie in der Installation das neueste Client-Secret.',
  'refusal.client-method-not-allowed.rule':
    'Ein Client muss sich mit einer Methode authentifizieren, für die er registriert ist (RFC 7591 §2).',
  'refusal.client-method-not-allowed.advice':
    'Verwenden Sie eine registrierte Methode, oder registrieren Sie die verwendete: grantlog client update CLIENT_ID ' +
    '--auth-method METHOD.',
  'refusal.client-methods-mixed.rule':
    'Ein Client darf in einer Anfrage nur eine Methode der Authentifizierung verwenden (RFC 6749 §2.3).',
  'refusal.client-methods-mixed.expected': 'eine Assertion oder ein Client-Secret',
  'refusal.client-methods-mixed.seen': 'beides',
  'refusal.client-methods-mixed.advice':
    'Senden Sie entweder eine Assertion oder ein Client-Secret. Mit einer Assertion senden Sie weder den Header ' +
    'Authorization noch client_secret.',
  'refusal.client-public.rule':
    '{what, select, introspection {Introspection} exchange {Der Token-Tausch} other {{what}}} setzt einen ' +
    'vertraulichen Client voraus.',
  'refusal.client-public.expected': 'ein vertraulicher Client',
  'refusal.client-public.seen': 'ein öffentlicher Client, der sich nicht authentifizieren kann',
  'refusal.client-public.advice': 'Registrieren Sie eine vertrauliche Anwendung, und verwenden Sie deren Zugangsdaten.',
  'refusal.client-not-registered-for.rule':
    'Ein Client darf nur die Grant-Typen verwenden, für die er registriert ist.',
  'refusal.client-not-registered-for.advice':
    'Fügen Sie der Anwendung den Grant-Typ hinzu, oder verwenden Sie einen registrierten.',
  'refusal.clients.unknown-client.rule': 'Der Client muss registriert sein.',
  'refusal.clients.unknown-client.expected': 'die client_id einer registrierten Anwendung',
  'refusal.clients.unknown-client.seen': 'client_id und client_secret, miteinander vertauscht',
  'refusal.clients.unknown-client.seen-2': 'eine unbekannte client_id mit {length} Zeichen; {looks}',
  'refusal.clients.unknown-client.advice': 'Vertauschen Sie client_id und client_secret.',
  'refusal.clients.unknown-client.advice-2':
    'Das Format der client_id stimmt. Prüfen Sie, ob die Anwendung gelöscht wurde oder bei einem anderen Server ' +
    'registriert ist.',
  'refusal.clients.unknown-client.advice-3': 'Kopieren Sie die client_id von der Seite der Anwendung.',
};

/** Explanations of refusals: clients. */
export const refusalClients = { en, de };
