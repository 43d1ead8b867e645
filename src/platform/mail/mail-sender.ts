const SENDER = /^(?:[^<>\r\n"]{1,100} )?<([^<>\s]+)>$/;
const ADDRESS = /^[^\s@<>,;:"()\\[\]]{1,64}@[^\s@<>,;:"()\\[\]]{1,189}$/;

/** Reports whether the text is an e-mail address in its usual form, without quotes or comments. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Returns the address in a sender, which is an address, or a name with an address in angle brackets. */
export function senderAddress(sender: string): string {
  return SENDER.exec(sender)?.[1] ?? sender;
}

/** Reports whether the text is an address, or a name with an address in angle brackets. */
export function isMailSender(text: string): boolean {
  return isMailAddress(senderAddress(text));
}
