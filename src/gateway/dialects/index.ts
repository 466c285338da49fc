/** The flavours of SecLang that policies are compiled to. */
import { coraza } from './coraza.ts'
import { corazaWasm } from './coraza-wasm.ts'
import type { Dialect } from './dialect.ts'
import { modsecurity } from './modsecurity.ts'

export const dialects = [coraza, corazaWasm, modsecurity] as const
export type DialectName = (typeof dialects)[number]['name']

export const dialectNames: readonly DialectName[] = dialects.map(({ name }) => name)

/**
 * The dialect of a name.
 * @throws RangeError for a name that no dialect has
 */
export function dialectOf(name: DialectName): Dialect<DialectName> {
  const found = dialects.find((it) => it.name === name)
  if (found === undefined) throw new RangeError(name)
  return found
}
