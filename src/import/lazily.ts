/**
 * Adds members that are computed when they are first asked for, once: what a rendering does not need costs nothing
 * until an import asks. They are listed like any other member, so that a spread computes them all.
 */
export function lazily<Ready extends object, Late extends Record<string, unknown>>(
  ready: Ready,
  late: { readonly [Name in keyof Late]: () => Late[Name] },
): Ready & Readonly<Late> {
  for (const name of Object.keys(late)) {
    let made: { readonly value: unknown } | null = null
    const get = (): unknown => (made ??= { value: (late[name] as () => unknown)() }).value
    Object.defineProperty(ready, name, { enumerable: true, configurable: true, get })
  }
  return ready as Ready & Readonly<Late>
}

/** The same with other members in place of some, which are as late; nothing is computed. */
export const replacedLazily = <Ready extends object, Late extends Partial<Ready> & Record<string, unknown>>(
  ready: Ready,
  late: { readonly [Name in keyof Late]: () => Late[Name] },
): Ready => lazily(Object.defineProperties({}, Object.getOwnPropertyDescriptors(ready)) as Ready, late)
