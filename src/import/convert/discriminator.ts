import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'

/** A discriminator whose mapping is rewritten value by value; null keeps a value. The same object where nothing changes. */
export const mapDiscriminator = (discriminator: JsonObject, move: (target: string) => string | null): JsonObject => {
  const { mapping } = discriminator
  if (!isObject(mapping)) return discriminator
  let isChanged = false
  const entries = Object.entries(mapping).map(([value, target]): [string, Json] => {
    const moved = typeof target === 'string' ? move(target) : null
    isChanged ||= moved !== null
    return [value, moved ?? target]
  })
  return isChanged ? { ...discriminator, mapping: Object.fromEntries(entries) } : discriminator
}

/**
 * A mapping to the bare name of a schema means its component (OpenAPI 3.1.0, 4.8.25), but most tools understand references
 * only. Returns the reference, or null if the text is not the name of a component.
 */
export const referenceOfName =
  (schemas: Json | undefined) =>
  (target: string): string | null =>
    /^[a-zA-Z0-9._-]+$/.test(target) && isObject(schemas) && Object.hasOwn(schemas, target)
      ? `#/components/schemas/${target}`
      : null
