/** Types that a member only names: what they are is said where they are named, so that no reader has to open each. */
import type { NamedSchema, SchemaView } from '../api/reader.ts'

/** A name may lead to another name; more are not followed. */
const mostNames = 8

const isView = (value: object): value is SchemaView => 'type' in value && 'facts' in value && 'members' in value

const nameIn = ({ type }: SchemaView): string | null => {
  const [only] = type
  return type.length === 1 && typeof only === 'object' ? only.schema : null
}

/**
 * Gives the function that completes what it is given (any parts of the documentation): a view that only names a schema
 * without members also has the type, the limits and, without one of its own, the description of that schema.
 * @param schemas all schemas of the document
 */
export function leavesOf(schemas: readonly NamedSchema[]): <T>(value: T) => T {
  const views = new Map(schemas.map(({ name, view }) => [name, view]))
  const leafOf = (view: SchemaView): SchemaView | null => {
    let found: SchemaView | undefined = view
    for (let left = mostNames; found !== undefined && left > 0; left--) {
      const name = nameIn(found)
      if (name === null) return found === view || found.members.length > 0 ? null : found
      found = views.get(name)
    }
    return null
  }
  const complete = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(complete)
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, complete(it)]))
    const leaf = isView(value) ? leafOf(value) : null
    if (leaf === null || !isView(copy)) return copy
    const type = leaf.type.map((it) => (typeof it === 'string' ? it : it.schema)).join('')
    return {
      ...copy,
      facts: [type, ...leaf.facts, ...copy.facts],
      description: copy.description === '' ? leaf.description : copy.description,
      isLeaf: true,
    } satisfies SchemaView
  }
  return complete as <T>(value: T) => T
}
