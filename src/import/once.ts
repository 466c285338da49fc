/** Makes a value at its first use, and gives the same one ever after. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
