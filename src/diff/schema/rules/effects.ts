/** How a smaller set of valid values affects clients. */
export const tightens =
  'The set of valid values becomes smaller. In a request this is breaking: a value that was accepted can now be rejected. In a response it is not breaking.'

/** How a larger set of valid values affects clients. */
export const loosens =
  'The set of valid values becomes larger. In a response this is breaking: clients can receive a value that was not possible before. In a request it is not breaking.'

/** How a set that may be smaller in one place and larger in another affects clients. */
export const depends =
  'The valid values before and after are compared. A request is breaking if a value that was accepted can now be rejected; a response is breaking if clients can receive a value that was not possible before. The change shows such a value as a counterexample.'
