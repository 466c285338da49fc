/** What tells parameters apart. */

/** A parameter by its name and its place. */
export interface NamedParameter {
  readonly name: string
  readonly in: string
}

/** Whether two are the same one: names of headers have no case (RFC 9110, section 5.1). */
export const isSameParameter = (a: NamedParameter, b: NamedParameter): boolean =>
  a.in === b.in && (a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name)
