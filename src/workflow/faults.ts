/** Why a value, a selector, a condition or a request of a workflow cannot be made. */

/** A selector with a syntax error, or one that cannot be applied. */
export class SelectorInvalid extends Error {}

/** XML that may be well-formed, and is not read. */
export class XmlUnread extends SelectorInvalid {}

/** A condition that cannot be evaluated. */
export class ConditionInvalid extends Error {}

/** No request can be made of a step. */
export class RequestImpossible extends Error {}

/** A server did not answer, or not in time, or with more than is read. */
export class NoAnswer extends Error {}

/** An expression names something that is not there. */
export class ValueMissing extends Error {
  constructor(expression: string) {
    super(`Nothing is at \`${expression}\``)
  }
}
