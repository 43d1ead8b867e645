const en = {
  'refusal.device-pending.rule': 'A device gets tokens once the user has approved its request (RFC 8628 §3.5).',
  'refusal.device-pending.expected': 'a request that the user has approved',
  'refusal.device-pending.seen': 'one that the user has neither approved nor denied yet',
  'refusal.device-pending.advice':
    'Show the user code and its URL to the user, and poll again after the interval. This is not an error.',
  'refusal.device-polls-too-fast.rule':
    'A device must wait between its requests, and must wait longer after each slow_down (RFC 8628 §3.5).',
  'refusal.device-polls-too-fast.expected': 'at least {duration} since the last request',
  'refusal.device-polls-too-fast.advice':
    'Wait for the interval in the device authorization response, and add 5 seconds to it after each slow_down.',
  'refusal.device-code-expired.rule': 'Device codes expire (RFC 8628 §3.2).',
  'refusal.device-code-expired.expected': 'approval and redemption within {duration}',
  'refusal.device-code-expired.seen': 'a device code that expired {duration} ago',
  'refusal.device-code-expired.advice':
    'Request a new device code when the user asks for one, and show the new user code.',
  'refusal.device-denied.rule': 'A device gets no tokens if the user denies its request (RFC 8628 §3.5).',
  'refusal.device-denied.expected': 'a request that the user has approved',
  'refusal.device-denied.seen': 'one that the user has denied',
  'refusal.device-denied.advice': 'Stop polling. The user can start again.',
  'refusal.devices-full.rule': 'The number of devices waiting for approval is limited.',
  'refusal.devices-full.expected': 'at most {limit} pending requests from {full}',
  'refusal.devices-full.seen': '{limit} pending requests',
  'refusal.devices-full.advice':
    'Requests expire after a few minutes. Request a device code only when a user starts a login.',
  'refusal.devices.full.all': 'all applications together',
  'refusal.devices.full.client': 'this application',
  'refusal.devices.full.address': 'this address',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.device-pending.rule':
    'Ein Gerät erhält Token, sobald der Benutzer seine Anfrage bestätigt hat (RFC 8628 §3.5).',
  'refusal.device-pending.expected': 'eine Anfrage, die der Benutzer bestätigt hat',
  'refusal.device-pending.seen': 'eine, die der Benutzer bisher weder bestätigt noch abgelehnt hat',
  'refusal.device-pending.advice':
    'Zeigen Sie dem Benutzer den Benutzercode mit dessen Adresse, und fragen Sie nach dem Abstand noch einmal. Das ' +
    'ist kein Fehler.',
  'refusal.device-polls-too-fast.rule':
    'Ein Gerät muss zwischen seinen Anfragen warten, und nach jedem slow_down länger (RFC 8628 §3.5).',
  'refusal.device-polls-too-fast.expected': 'mindestens ein Abstand von {duration} zur letzten Anfrage',
  'refusal.device-polls-too-fast.advice':
    'Warten Sie so lange, wie interval in der Antwort auf die Geräteanfrage angibt, und nach jedem slow_down 5 ' +
    'Sekunden länger.',
  'refusal.device-code-expired.rule': 'Gerätecodes laufen ab (RFC 8628 §3.2).',
  'refusal.device-code-expired.expected': 'Bestätigung und Einlösung innerhalb von {duration}',
  'refusal.device-code-expired.seen': 'ein Gerätecode, der vor {duration} abgelaufen ist',
  'refusal.device-code-expired.advice':
    'Fordern Sie einen neuen Gerätecode an, wenn der Benutzer es möchte, und zeigen Sie den neuen Benutzercode an.',
  'refusal.device-denied.rule':
    'Ein Gerät erhält keine Token, wenn der Benutzer seine Anfrage ablehnt (RFC 8628 §3.5).',
  'refusal.device-denied.expected': 'eine Anfrage, die der Benutzer bestätigt hat',
  'refusal.device-denied.seen': 'eine, die der Benutzer abgelehnt hat',
  'refusal.device-denied.advice': 'Fragen Sie nicht weiter. Der Benutzer kann von vorn beginnen.',
  'refusal.devices-full.rule': 'Die Anzahl der Geräte, die zur selben Zeit auf eine Bestätigung warten, ist begrenzt.',
  'refusal.devices-full.expected': 'höchstens {limit} wartende Anfragen, gezählt für {full}',
  'refusal.devices-full.seen': '{limit} wartende Anfragen',
  'refusal.devices-full.advice':
    'Anfragen laufen nach einigen Minuten ab. Fordern Sie einen Gerätecode nur an, wenn ein Benutzer eine Anmeldung ' +
    'beginnt.',
  'refusal.devices.full.all': 'alle Anwendungen zusammen',
  'refusal.devices.full.client': 'diese Anwendung',
  'refusal.devices.full.address': 'diese Adresse',
};

/** Explanations of refusals: devices. */
export const refusalDevices = { en, de };
