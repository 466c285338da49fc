import { parseFragment } from '../../kernel/pointer.ts'

const allowed = /^[a-zA-Z0-9._-]+$/

/**
 * Names that OpenAPI 3 allows for components, for names that may hold anything: other characters become "_", and where two would
 * meet, the later one gets a number. Allowed names stay as they are.
 */
export const componentNames = (names: readonly string[]): ReadonlyMap<string, string> => {
  const made = new Map<string, string>()
  const taken = new Set(names.filter((name) => allowed.test(name)))
  for (const name of names) {
    if (allowed.test(name)) {
      made.set(name, name)
      continue
    }
    const base = name.replaceAll(/[^a-zA-Z0-9._-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'unnamed'
    let free = base
    for (let count = 2; taken.has(free); count++) free = `${base}_${count}`
    taken.add(free)
    made.set(name, free)
  }
  return made
}

/**
 * Points a reference within the document from one place to another: with `prefix` ["definitions"] and `to` "#/components/schemas",
 * "#/definitions/A%20B/items" becomes "#/components/schemas/A_B/items". Null where the reference leads elsewhere.
 */
export const moveReference = (
  ref: string,
  prefix: readonly string[],
  to: string,
  names: ReadonlyMap<string, string>,
): string | null => {
  const path = ref.startsWith('#/') ? parseFragment(ref) : null
  if (path === null || path.length <= prefix.length || prefix.some((step, index) => path[index] !== step)) return null
  const name = path[prefix.length] ?? ''
  const rest = path
    .slice(prefix.length + 1)
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
  return `${to}/${names.get(name) ?? name}${rest.join('')}`
}
