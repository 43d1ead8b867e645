import type { Text } from '../../language/message.ts';

/**
 * Why a client that describes itself in a document is refused. Each `problem` is the end of a sentence; the problem
 * with an invalid document may also consist of whole sentences about its fields.
 */
export type ClientDocumentRefusal =
  | { readonly rule: 'client-address'; readonly problem: Text }
  | {
      readonly rule: 'client-document-not-accepted';
      readonly why: 'off' | 'not-listed' | 'blocked' | 'removed';
      /** A host name in normal form. */
      readonly host: string;
    }
  | { readonly rule: 'client-document-unreadable'; readonly problem: Text }
  | { readonly rule: 'client-document-invalid'; readonly problem: Text };
