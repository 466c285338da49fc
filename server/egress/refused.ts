/** An answer that breaks a limit or the protocol; the message ends a sentence. */
export class AnswerRefused extends Error {}
