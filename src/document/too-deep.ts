/** Raised inside the scanners where a text nests deeper than allowed; `parseDocument` turns it into a problem. */
export class TooDeep extends Error {
  readonly offset: number
  constructor(offset: number) {
    super('nested too deep')
    this.name = 'TooDeep'
    this.offset = offset
  }
}
