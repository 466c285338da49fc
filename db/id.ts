/** A new identifier: a UUIDv7 in its usual text form, so that ids sort by the time they were made. */
export function newId(): string {
  return Bun.randomUUIDv7()
}
