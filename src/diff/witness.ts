import { Exhausted } from '../schema/effort.ts'
import { isValid } from '../schema/validate.ts'
import type { ConfirmWitness } from './schema/judgement.ts'

/**
 * Asks the validator, which shares nothing with the containment, whether a value fits all of the places; null where it
 * cannot be asked. Where references go by identifiers and dynamic scope, it follows them itself as they are written.
 * `select` says what discriminators select, `spend` counts the schemas that are checked.
 */
export const confirmWitness =
  (formats: 'asserted' | 'remarks'): ConfirmWitness =>
  (side, places, value, direction, select, spend) => {
    const options = {
      dialect: side.dialect === 'swagger-2.0' ? 'openapi-2.0' : side.dialect,
      formats: formats === 'asserted',
      select,
      spend: () => spend(0.1),
      ...(direction === null ? {} : { mode: direction }),
    } as const
    try {
      return places.every((place) => {
        const written = side.writtenAt(place)
        if (written) return isValid(written.schema, value, { ...options, root: written.root, scope: written.scope })
        const { linker } = side
        return isValid(place.value, value, { ...options, root: side.root, ...(linker ? { linked: linker } : {}) })
      })
    } catch (thrown) {
      // A reference without end or without target leaves nothing to ask.
      if (thrown instanceof Error && !(thrown instanceof Exhausted)) return null
      throw thrown
    }
  }
